import { tool } from "ai";
import { jsonSchema } from "ai";

export default tool({
  description: "Exchange rate of the day.",
  inputSchema: jsonSchema({ type: "object", properties: { pair: { type: "string" } } }),
});
