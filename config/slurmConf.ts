import { isRecord, type RawValues } from "./rawValues.ts";

/**
 * slurm.conf parameters that the operator writes itself (slinky-contract, generated slurm.conf) or that would
 * undo what this program relies on. Lower case: Slurm does not tell case apart.
 */
const reservedParameters: readonly string[] = [
  "authtype",
  "authinfo",
  "authalttypes",
  "authaltparameters",
  "credtype",
  "clustername",
  "slurmuser",
  "slurmduser",
  "slurmctldhost",
  "slurmctldport",
  "slurmctldparameters",
  "slurmctldlogfile",
  "slurmschedlogfile",
  "slurmdlogfile",
  "slurmdport",
  "slurmdspooldir",
  "statesavelocation",
  "maxnodecount",
  "accountingstoragetype",
  "accountingstoragehost",
  "accountingstorageport",
  "metricstype",
  "nodename",
  "nodeset",
  "partitionname",
  "include",
];

/** Files in /etc/slurm that belong to the operator or carry keys. */
export const reservedFiles: readonly string[] = [
  "slurm.conf",
  "slurmdbd.conf",
  "slurm.key",
  "slurm.jwks",
  "jwt.key",
  "jwks.json",
];

/** Bytes of all files of one ConfigMap together: Kubernetes refuses more than 1 MiB with everything around them. */
export const longestFiles = 1_000_000;

/** Reads `slurmConf`: extra parameters of slurm.conf, every value as text. */
export function readSlurmConf(raw: RawValues): Readonly<Record<string, string>> {
  const result = readParameters(raw, "slurmConf", raw.object("slurmConf"));
  for (const [name, value] of Object.entries(result)) {
    if (reservedParameters.includes(name.toLowerCase())) {
      raw.problems.add(
        `slurmConf.${name}`,
        `belongs to the operator; allowed: parameters other than ${reservedParameters.join(", ")}`,
      );
    }
    // With another value a replaced worker stays DOWN for ever (slinky-contract, NodeSet template change).
    if (name.toLowerCase() === "returntoservice" && value !== "2") {
      raw.problems.bad(`slurmConf.${name}`, value, "2, which the program sets itself");
    }
  }
  return result;
}

/** Reads `configFiles`: extra files of /etc/slurm by name. */
export function readConfigFiles(raw: RawValues): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [name, content] of Object.entries(raw.object("configFiles"))) {
    const key = `configFiles.${name}`;
    if (!/^[-._a-zA-Z0-9]{1,253}$/.test(name) || reservedFiles.includes(name.toLowerCase())) {
      raw.problems.bad(key, name, `a file name other than ${reservedFiles.join(", ")}`);
    } else if (typeof content !== "string" || content.length === 0) {
      raw.problems.bad(key, content, "the content of the file as text");
    } else {
      files[name] = content;
    }
  }
  return files;
}

/**
 * Parameters as Slurm's configuration takes them: `Name=value`, lists joined by commas.
 * The chart joins and splits them by `;` and lines, so neither may occur in a value.
 * @param oneWord whether a value must be free of blanks too (slurmd's --conf is split by blanks)
 */
export function readParameters(
  raw: RawValues,
  path: string,
  values: Readonly<Record<string, unknown>>,
  oneWord = false,
): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  const forbidden = oneWord ? /[\s;"'`$\\]/ : /[\r\n;]/;
  for (const [name, value] of Object.entries(values)) {
    const text = parameterText(value);
    const other = Object.keys(result).find((k) => k.toLowerCase() === name.toLowerCase());
    if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name)) {
      raw.problems.bad(`${path}.${name}`, name, "a parameter name of letters and digits");
    } else if (other !== undefined) {
      raw.problems.add(`${path}.${name}`, `is the same parameter as ${other}; keep one`);
    } else if (text === undefined || text === "" || forbidden.test(text)) {
      const without = oneWord ? "blanks, quotes and semicolons" : "line breaks and semicolons";
      raw.problems.bad(`${path}.${name}`, value, `text, a number or a list, without ${without}`);
    } else {
      result[name] = text;
    }
  }
  return result;
}

function parameterText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value) && !value.some((item) => isRecord(item) || Array.isArray(item))) {
    return value.map(String).join(",");
  }
  return undefined;
}
