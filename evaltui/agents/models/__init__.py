"""Models behind APIs: requests in their dialects, answers streamed or whole, tools and prices."""
