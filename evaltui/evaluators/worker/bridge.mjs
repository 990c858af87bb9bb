// Runs an evaluator written for EvalStudio, unchanged: JSON lines in, JSON lines out.
// Of `@evalstudio/core`, what the installed package lacks is answered here: all of it without one.
// Asked on fd 3 and answering on fd 4 where it was started so: what an evaluator, or a program that
// it starts, reads and writes is none of it then.
import { AsyncLocalStorage } from "node:async_hooks";
import { spawnSync } from "node:child_process";
import { fstatSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { createRequire, register } from "node:module";
import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import { UsedFiles } from "./used_files.mjs";

const OURS = `
const defineEvaluator = (definition) => ({ evaluators: [definition] });
const getMessageContentAsString = (content) => {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.filter((b) => b && b.type === "text" && b.text).map((b) => b.text).join("\\n");
};
`;
const CORE = `${OURS}export { defineEvaluator, getMessageContentAsString };`;
// What a module exports by name wins over its `export *`: what is installed has to be asked for.
const FILLED = `${OURS}
const filledDefine = installed.defineEvaluator ?? defineEvaluator;
const filledText = installed.getMessageContentAsString ?? getMessageContentAsString;
export { filledDefine as defineEvaluator, filledText as getMessageContentAsString };
export default installed.default;
`;
const HOOK = `
const core = ${JSON.stringify("data:text/javascript," + encodeURIComponent(CORE))};
const filled = ${JSON.stringify(FILLED)};
const moduleOf = (url) => {
  const from = JSON.stringify(url);
  const text = "import * as installed from " + from + "; export * from " + from + ";" + filled;
  return "data:text/javascript," + encodeURIComponent(text);
};
let imported;
export const initialize = (port) => { imported = port; };
export async function resolve(specifier, context, next) {
  if (specifier !== "@evalstudio/core") {
    try {
      const found = await next(specifier, context);
      imported.postMessage(found.url);
      return found;
    } catch (error) {
      if (specifier.startsWith("./") || specifier.startsWith("../")) {
        imported.postMessage(new URL(specifier, context.parentURL).href);
      }
      throw error;
    }
  }
  let url = core;
  try {
    const installed = (await next(specifier, context)).url;
    imported.postMessage(installed);
    url = moduleOf(installed);
  } catch {}
  return { url, format: "module", shortCircuit: true };
}
`;
const used = new UsedFiles(process.cwd());
const imported = new MessageChannel();
const urls = []; // the last first
const takeImported = () => {
  for (let one; (one = receiveMessageOnPort(imported.port1)); ) urls.unshift(one.message);
};
register("data:text/javascript," + encodeURIComponent(HOOK), {
  data: imported.port2,
  transferList: [imported.port2],
});

// What knows the secrets hides halves of them beside the `…`, which no half a character parts.
const endOf = (text) =>
  text.length > 4000 ? "…" + text.slice(-4000).replace(/^[\udc00-\udfff]/, "") : text;
const startOf = (text) =>
  text.length > 2000 ? text.slice(0, 2000).replace(/[\ud800-\udbff]$/, "") + "…" : text;

const isApart = process.argv[3] === "apart";
const [IN, OUT] = isApart ? [3, 4] : [0, 1];
const input = isApart ? new Socket({ fd: IN, readable: true, writable: false }) : process.stdin;
const print = process.stdout.write.bind(process.stdout);
const write = (text) => (isApart ? writeSync(OUT, text) : print(text));
const inode = fstatSync(IN).ino;
const hasInput = () => {
  try {
    return fstatSync(IN).ino === inode;
  } catch {
    return false;
  }
};
// What each evaluator prints is its own, though several wait at the same time.
const ofEvaluator = new AsyncLocalStorage();
const common = { printed: "" };
process.stdout.write = (text, ...rest) => {
  const own = ofEvaluator.getStore() ?? common;
  own.printed = endOf(own.printed + text);
  const done = rest.find((each) => typeof each === "function");
  if (done) done();
  return true;
};
const say = (value, own = common, result = undefined) => {
  const text = JSON.stringify({ ...value, ...taken(own), ...used.taken() });
  write((result === undefined ? text : `${text.slice(0, -1)},"value":${result}}`) + "\n");
};
const taken = (own) => {
  const text = own.printed.trim();
  own.printed = "";
  return text ? { printed: text } : {};
};
const exit = process.exit.bind(process);
process.exit = (code) => {
  throw new Error(`it called process.exit(${code ?? ""})`);
};
const NO_MEMORY = /allocation failed|could not allocate/i;
const isSpent = (error) =>
  error instanceof RangeError && NO_MEMORY.test(String(error.message));
const message = (error) => startOf(String(error?.message ?? error)) || "an error without text";
const PLACE =
  /^(?:\s+at (?:.*\(|async )?)?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+)(?::\d+)?\)?$/gm;
const placeIn = (text) => {
  for (const [, at, line] of text.matchAll(PLACE)) {
    if (at === import.meta.url) continue;
    try {
      const path = at.startsWith("file:") ? fileURLToPath(at) : at;
      return [relative(process.cwd(), path), Number(line)];
    } catch {
      // the message has a URL that is no file here
    }
  }
  return null;
};
const fault = (error, place = placeIn(String(error?.stack ?? ""))) =>
  `${error?.name ?? "Error"}: ${message(error)}${place ? ` (${place[0]} line ${place[1]})` : ""}`;

// Where a module cannot be parsed Node only prints: it is asked once more, of what came last.
const MOST_ASKED = 10;
const unparsed = (error) => {
  if (!(error instanceof SyntaxError)) return null;
  takeImported();
  const files = urls.filter((url) => url.startsWith("file:")).slice(0, MOST_ASKED);
  for (const url of files) {
    const words = ["--check", fileURLToPath(url)];
    const said = spawnSync(process.execPath, words, { encoding: "utf8", timeout: 5000 });
    if (said.status && said.stderr.includes(message(error))) return placeIn(said.stderr);
  }
  return null;
};

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

// JSON would make null of a number that is none, and null is a value that is not there.
const finite = (value) =>
  typeof value === "number" && !Number.isFinite(value) ? String(value) : value;

// As it is: whoever started this program says what is wrong with it.
const described = (each) => {
  if (typeof each !== "object" || each === null) return typeof each;
  const { type, label, kind, description, configSchema, timeoutSeconds, hard, auto } = each;
  return {
    type, label, kind, description, configSchema, hard, auto,
    timeoutSeconds: finite(timeoutSeconds),
    evaluates: typeof each.evaluate === "function",
    isAwaited: each.evaluate?.constructor?.name === "AsyncFunction",
  };
};

// Of the default export and all named ones, each evaluator once: CommonJS exports the same as both.
const exported = (module) => {
  const all = [module.default, module, ...Object.values(module)];
  const lists = all.map((each) => each?.evaluators).filter(Array.isArray);
  return lists.length ? [...new Set(lists.flat())] : null;
};

const definitions = new Map();
const load = async () => {
  try {
    const module = await import(pathToFileURL(process.argv[2]).href);
    const found = exported(module);
    if (found === null) return { fault: "export", why: "it exports no `evaluators`" };
    for (const each of found) definitions.set(each?.type, each);
    return { evaluators: found.map(described) };
  } catch (error) {
    const place = placeIn(String(error?.stack ?? "")) ?? unparsed(error);
    return { fault: "load", why: fault(error, place) + standIn(error), place };
  }
};

const told = (result) => {
  const value = finite(result?.value);
  return value === result?.value ? (result ?? null) : { ...result, value };
};

// As JSON, before anything of it is said: what cannot be written is the fault of who gave it.
const written = (result) => {
  try {
    return JSON.stringify(told(result));
  } catch (error) {
    const [why] = message(error).split("\n"); // behind it the objects of a circle, line by line
    throw new Error(`its result cannot be written as JSON (${why})`);
  }
};

const within = (judged, seconds) => {
  let timer;
  const late = new Promise((_, reject) => {
    const error = Object.assign(new Error(`timed out after ${seconds} s`), { isLate: true });
    timer = setTimeout(() => reject(error), Math.min(seconds * 1000, 2 ** 31 - 1));
  });
  return Promise.race([judged, late]).finally(() => clearTimeout(timer));
};

// Where all of them judge, wherever one of them goes.
const folder = process.cwd();
const goTo = process.chdir.bind(process);
const goBack = () => {
  try {
    goTo(folder);
  } catch {
    // it was removed meanwhile: whoever looks for something there says so
  }
};

const judge = async (seen, [id, type, config], seconds) => {
  const own = { printed: "" };
  const answer = { id };
  goBack();
  const began = performance.now();
  let result;
  await ofEvaluator.run(own, async () => {
    try {
      // A copy for each: evaluators of EvalStudio may change what they are handed.
      const context = structuredClone(seen);
      const judged = definitions.get(type).evaluate({ persona: undefined, ...context, config });
      result = written(await (seconds === undefined ? judged : within(judged, seconds)));
    } catch (error) {
      answer.error = message(error);
      if (!error?.isLate) answer.fault = fault(error);
      if (isSpent(error)) answer.isSpent = true;
    }
  });
  answer.ms = performance.now() - began;
  if (!hasInput()) {
    // Nobody after it would be heard. Without an answer to it nobody is asked here any more.
    writeSync(2, "it closed the pipe that evaluators are asked through\n");
    exit(1);
  }
  say(answer, own, result);
  // Somebody may have kept what it took: there is none for whoever comes next.
  if (answer.isSpent) exit(1);
};

let first = true;
for await (const line of createInterface({ input })) {
  const asked = JSON.parse(line);
  if (first) {
    first = false;
    const said = await load();
    takeImported();
    const { cache } = createRequire(import.meta.url);
    say({ ...said, ...used.loaded([...urls, ...Object.keys(cache)]) });
    continue;
  }
  const limits = asked.limits ?? [];
  await Promise.all(limits.map((limit, at) => judge(asked.context, asked.checks[at], limit)));
  for (const check of asked.checks.slice(limits.length)) await judge(asked.context, check);
}
exit(0);
