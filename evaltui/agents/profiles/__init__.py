"""What `[agents.NAME]` may say: a model of the options of each type of agent.

The schema for editors and every complaint are made from these models.
"""
