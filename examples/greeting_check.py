from evaltui import EvaluatorContext, define_evaluator, failed, message_text, passed, skipped

GREETINGS = ["hello", "hi", "hey", "welcome"]


@define_evaluator(
    "greeting-check",
    label="Greeting Check",
    kind="assertion",
    config_schema={
        "type": "object",
        "properties": {
            "greetings": {
                "type": "array",
                "items": {"type": "string"},
                "default": GREETINGS,
                "description": "List of acceptable greeting words",
            },
        },
    },
)
def greeting_check(ctx: EvaluatorContext):
    """Verifies the agent greets the user in their first response"""
    if ctx.turn > 1:
        return skipped("Skipped (not first turn)")
    greetings = ctx.config.get("greetings", GREETINGS)
    answers = [one for one in ctx.last_invocation.messages if one["role"] == "assistant"]
    if not answers:
        return failed("No assistant message found")
    text = message_text(answers[0]["content"]).lower()
    found = next((word for word in greetings if word in text), None)
    if found is None:
        expected = ", ".join(greetings)
        return failed(f"Response does not contain a greeting. Expected one of: {expected}")
    return passed(f'Found greeting: "{found}"')
