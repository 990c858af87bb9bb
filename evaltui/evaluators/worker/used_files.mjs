// Which files of the project the evaluators of this process are made of, and which they write.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const MOST = 1000;
const OTHERS = new Set(["site-packages", "dist-packages", "node_modules", "__pycache__"]);
const WRITES =
  fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_APPEND | fs.constants.O_CREAT;
const READ = ["readFile", "createReadStream", "exists", "access", "stat", "lstat"];
const WRITTEN = ["writeFile", "appendFile", "createWriteStream", "truncate"];
const MADE = ["copyFile", "rename"]; // of two paths the second

const isFile = (path) => {
  try {
    return isThere(path) && stat(path).isFile();
  } catch {
    return false;
  }
};
const { existsSync: isThere, statSync: stat } = fs; // as they are: what is asked here is nobody's

export class UsedFiles {
  // `root`: real path of the project; what is told is below it.
  constructor(root) {
    this.root = root;
    this.read = new Set();
    this.written = new Set();
    this.told = new Set();
    this.isLoading = true;
    for (const place of [fs, fs.promises]) this.#hear(place);
    syncBuiltinESMExports();
  }

  // All that was loaded, by paths and URLs, and read until now. Nothing that is read from now on.
  loaded(modules) {
    const code = new Set();
    for (const each of modules) {
      const below = this.#below(each);
      if (!below || code.has(below)) continue;
      code.add(below);
      for (const one of this.#packages(below)) code.add(one);
    }
    this.isLoading = false;
    const own = [...code].sort((a, b) => isOfOthers(a) - isOfOthers(b));
    const read = [...this.read].filter((each) => !this.written.has(each) && !code.has(each));
    const files = own.filter((each) => isFile(join(this.root, each)));
    const gone = [...own, ...read].filter((each) => !isThere(join(this.root, each)));
    return {
      files: files.slice(0, MOST),
      read: read.filter((each) => isFile(join(this.root, each))).slice(0, MOST),
      missed: gone.slice(0, MOST),
    };
  }

  // What was written since this was asked last.
  taken() {
    const found = [...this.written].filter((each) => !this.told.has(each));
    for (const each of found) this.told.add(each);
    return found.length ? { written: found } : {};
  }

  #hear(place) {
    const wrap = (name, hear) => {
      const original = place[name];
      if (typeof original !== "function") return;
      const heard = function (...args) {
        hear(args);
        return new.target ? Reflect.construct(original, args) : Reflect.apply(original, this, args);
      };
      Object.defineProperties(heard, Object.getOwnPropertyDescriptors(original));
      place[name] = heard;
    };
    const both = (name, hear) => [name, `${name}Sync`].forEach((each) => wrap(each, hear));
    for (const name of READ) both(name, ([path]) => this.#note(this.read, path));
    for (const name of WRITTEN) both(name, ([path]) => this.#note(this.written, path));
    for (const name of MADE) both(name, ([, path]) => this.#note(this.written, path));
    both("open", ([path, flags]) => {
      const writes = typeof flags === "number" ? flags & WRITES : /[wax+]/.test(flags ?? "r");
      this.#note(writes ? this.written : this.read, path);
    });
  }

  #note(into, path) {
    if (into === this.read && !this.isLoading) return;
    try {
      const below = this.#below(path);
      if (below && !isOfOthers(below)) into.add(below);
    } catch {
      // whatever is wrong with it, whoever opens it is told
    }
  }

  #below(path) {
    let place = path;
    if (Buffer.isBuffer(place)) place = place.toString();
    if (place instanceof URL || (typeof place === "string" && place.startsWith("file:"))) {
      place = fileURLToPath(place);
    }
    if (typeof place !== "string" || /^[a-z]{2,}:/.test(place)) return "";
    const below = relative(this.root, resolve(place));
    return below.startsWith("..") || isAbsolute(below) ? "" : below;
  }

  // What says what kind of module it is, and of a package what its names stand for.
  *#packages(below) {
    for (let folder = dirname(below); ; folder = dirname(folder)) {
      const told = join(folder, "package.json");
      if (isThere(join(this.root, told))) {
        yield told;
        if (!isOfOthers(below)) return;
      }
      if (folder === "." || basename(folder) === "node_modules") return;
    }
  }
}

const isOfOthers = (below) =>
  below.split(sep).slice(0, -1).some((each) => OTHERS.has(each) || each.startsWith("."));
