// Runs an evaluator written for EvalStudio, unchanged: JSON lines in, JSON lines out.
// `@evalstudio/core` is answered here where it is not installed.
import { createInterface } from "node:readline";
import { createRequire, register } from "node:module";
import { pathToFileURL } from "node:url";

const CORE = `
export const defineEvaluator = (definition) => ({ evaluators: [definition] });
export const getMessageContentAsString = (content) => {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.filter((b) => b && b.type === "text").map((b) => b.text ?? "").join("\\n");
};
`;
const HOOK = `
const core = ${JSON.stringify("data:text/javascript," + encodeURIComponent(CORE))};
export async function resolve(specifier, context, next) {
  if (specifier !== "@evalstudio/core") return next(specifier, context);
  try {
    return await next(specifier, context);
  } catch {
    return { url: core, shortCircuit: true };
  }
}
`;
register("data:text/javascript," + encodeURIComponent(HOOK));

const write = process.stdout.write.bind(process.stdout);
let printed = "";
process.stdout.write = (text, ...rest) => {
  printed = (printed + text).slice(-4000);
  const done = rest.find((each) => typeof each === "function");
  if (done) done();
  return true;
};
const say = (value) => write(JSON.stringify({ ...value, ...taken() }) + "\n");
const taken = () => {
  const text = printed.trim();
  printed = "";
  return text ? { printed: text } : {};
};
const exit = process.exit.bind(process);
process.exit = (code) => {
  throw new Error(`it called process.exit(${code ?? ""})`);
};
const message = (error) => String(error?.message ?? error).slice(0, 2000) || "an error without text";
const fault = (error) => {
  const place = String(error?.stack ?? "").split("\n").find((line) => line.includes("file://"));
  return `${error?.name ?? "Error"}: ${message(error)}${place ? ` (${place.trim()})` : ""}`;
};

const isText = (value) => typeof value === "string" && value.trim() !== "";

const standIn = (error) => {
  if (!message(error).includes("@evalstudio/core")) return "";
  try {
    createRequire(pathToFileURL(process.argv[2])).resolve("@evalstudio/core");
    return "";
  } catch (absent) {
    if (absent?.code !== "MODULE_NOT_FOUND") return "";
    return "; without the package only `defineEvaluator` and `getMessageContentAsString` can be " +
      "imported from it: run `npm install @evalstudio/core`";
  }
};

const invalid = (found) => {
  if (!found || !Array.isArray(found.evaluators)) return "it exports no `evaluators`";
  if (!found.evaluators.length) return "`evaluators` is empty";
  for (const each of found.evaluators) {
    if (!isText(each?.type) || !isText(each?.label)) return "`type` or `label` is no text";
    if (!["assertion", "metric"].includes(each.kind)) return `\`kind\` of "${each.type}" is unknown`;
    if (typeof each.evaluate !== "function") return `\`evaluate\` of "${each.type}" is no function`;
  }
  return "";
};

const definitions = new Map();
const load = async () => {
  try {
    const module = await import(pathToFileURL(process.argv[2]).href);
    const found = module.default ?? module;
    const why = invalid(found);
    if (why) return { fault: "export", why };
    for (const each of found.evaluators) definitions.set(each.type, each);
    return {
      evaluators: found.evaluators.map(({ type, label, kind, description, configSchema, auto }) => ({
        type, label, kind, description, configSchema, auto,
      })),
    };
  } catch (error) {
    return { fault: "load", why: fault(error) + standIn(error) };
  }
};

// JSON would make null of a number that is none, and null is a value that is not there.
const told = (result) => {
  const value = result?.value;
  if (typeof value !== "number" || Number.isFinite(value)) return result ?? null;
  return { ...result, value: String(value) };
};

let first = true;
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (first) {
    first = false;
    say(await load());
    continue;
  }
  for (const [id, type, config] of asked.checks) {
    const began = performance.now();
    const answer = { id };
    try {
      // A copy for each: evaluators of EvalStudio may change what they are handed.
      const context = structuredClone(asked.context);
      answer.value = told(await definitions.get(type).evaluate({ ...context, config }));
    } catch (error) {
      answer.error = message(error);
      answer.fault = fault(error);
    }
    answer.ms = performance.now() - began;
    say(answer);
  }
}
exit(0);
