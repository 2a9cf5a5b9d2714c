import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ConfigPlace, resolvePath } from "./cluster.ts";
import { unknownKeyMessage, type RawValues } from "./rawValues.ts";
import { longestFiles, reservedFiles } from "./slurmConf.ts";

/** Text of each script by file name. They run in the order of their names (slurm.conf(5), Prolog and Epilog). */
export interface Scripts {
  /** On every node of a job, before it starts. */
  readonly prolog: Readonly<Record<string, string>>;
  /** On every node of a job, after it has ended. */
  readonly epilog: Readonly<Record<string, string>>;
  /** In slurmctld's pod, when a job is allocated. */
  readonly prologSlurmctld: Readonly<Record<string, string>>;
  /** In slurmctld's pod, when a job has ended. */
  readonly epilogSlurmctld: Readonly<Record<string, string>>;
}

/** Folder of each kind of script below the stack's folder of scripts. */
const scriptFolders = {
  prolog: "prolog.d",
  epilog: "epilog.d",
  prologSlurmctld: "prolog-slurmctld.d",
  epilogSlurmctld: "epilog-slurmctld.d",
} as const;

/** Folder of files that go to /etc/slurm beside slurm.conf. */
const configFolder = "config";

/**
 * Reads the folder that `scripts` names, or `scripts/<stack>` where there is one.
 * @param configFiles files that the configuration holds itself; the folder adds to them
 */
export async function readScripts(
  raw: RawValues,
  place: ConfigPlace,
  configFiles: Readonly<Record<string, string>>,
): Promise<{
  readonly scripts: Scripts;
  readonly configFiles: Readonly<Record<string, string>>;
}> {
  const given = raw.optional("scripts");
  const folder = resolvePath(given ?? join("scripts", place.stack), place);
  if (given !== undefined && !(await isFolder(folder))) {
    raw.problems.bad("scripts", given, `a folder (looked at ${folder})`);
  }
  await refuseUnknownFolders(raw, folder);
  const read = (name: string, kind: "script" | "file"): Promise<Record<string, string>> =>
    readFolder(raw, join(folder, name), `scripts/${name}`, kind);
  const scripts = {
    prolog: await read(scriptFolders.prolog, "script"),
    epilog: await read(scriptFolders.epilog, "script"),
    prologSlurmctld: await read(scriptFolders.prologSlurmctld, "script"),
    epilogSlurmctld: await read(scriptFolders.epilogSlurmctld, "script"),
  };
  const files = await read(configFolder, "file");
  for (const name of Object.keys(files).filter((file) => file in configFiles)) {
    raw.problems.add(`configFiles.${name}`, `is in the folder ${folder} too; keep one of the two`);
  }
  const all = { ...configFiles, ...files };
  refuseTooLong(raw, `configFiles and scripts/${configFolder}`, all);
  return { scripts, configFiles: all };
}

async function refuseUnknownFolders(raw: RawValues, folder: string): Promise<void> {
  const allowed = [...Object.values(scriptFolders), configFolder];
  for (const name of await namesIn(folder)) {
    if (!allowed.includes(name) && (await isFolder(join(folder, name)))) {
      raw.problems.add(`scripts/${name}`, unknownKeyMessage(name, allowed));
    }
  }
}

/** Reads the files of one folder and refuses those that Slurm, Kubernetes or the operator would choke on. */
async function readFolder(
  raw: RawValues,
  folder: string,
  path: string,
  kind: "script" | "file",
): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const name of await namesIn(folder)) {
    const file = join(folder, name);
    const status = await stat(file);
    const content = status.isFile() ? await readFile(file) : undefined;
    const problem =
      content === undefined
        ? "is no file; allowed: files without folders between"
        : whyRefused(name, content, kind, (status.mode & 0o111) !== 0);
    if (problem !== undefined) raw.problems.add(`${path}/${name}`, problem);
    else files[name] = String(content);
  }
  if (kind === "script") refuseTooLong(raw, path, files);
  return files;
}

function whyRefused(
  name: string,
  content: Buffer,
  kind: "script" | "file",
  isExecutable: boolean,
): string | undefined {
  const text = content.toString("utf8");
  if (!/^[-._a-zA-Z0-9]{1,200}$/.test(name)) return "is no name of letters, digits, -, . and _";
  if (reservedFiles.includes(name.toLowerCase())) {
    return `is a name of the operator's; allowed: names other than ${reservedFiles.join(", ")}`;
  }
  if (text.includes("\0") || !Buffer.from(text).equals(content)) {
    return "is no UTF-8 text; a ConfigMap of the chart holds nothing else";
  }
  if (kind === "file") return text === "" ? "is empty" : undefined;
  if (!isExecutable) return "is not executable; run: chmod +x on it";
  const [first = ""] = text.split("\n");
  if (!first.startsWith("#!")) {
    return "has no shebang, so Slurm could not start it; begin it with a line such as #!/bin/sh";
  }
  return first.endsWith("\r") ? "has Windows line ends, which break its shebang" : undefined;
}

function refuseTooLong(
  raw: RawValues,
  path: string,
  files: Readonly<Record<string, string>>,
): void {
  const bytes = Buffer.byteLength(Object.values(files).join(""));
  if (bytes > longestFiles) {
    raw.problems.add(
      path,
      `hold ${bytes} bytes, more than a ConfigMap takes; allowed: at most ${longestFiles}`,
    );
  }
}

/** Names in a folder in order, without hidden ones; an absent folder is empty. */
async function namesIn(folder: string): Promise<string[]> {
  const names = (await isFolder(folder)) ? await readdir(folder) : [];
  return names.filter((name) => !name.startsWith(".")).sort();
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}
