import { installs, mayBeHybrid } from "../reading/charts.ts";
import { at, entriesOf, fieldPath, type Path, UNKNOWN } from "../reading/known.ts";
import { objectsOfKind } from "../reading/kubernetesObjects.ts";
import { type Report, type ResourceRule, resourceRule } from "../rule.ts";

/** Slurm's default leaves a replaced worker DOWN for ever (slinky-contract, 4.2): each rotation replaces them all. */
export const returnToServiceIsTwo: ResourceRule = (level) =>
  resourceRule(
    {
      name: "return-to-service-is-two",
      description: "slurm.conf of a Slurm cluster has ReturnToService=2.",
      level,
    },
    (resource, report) => {
      const values = at(resource.props, "values");
      if (installs("slurm", resource) && !mayBeHybrid(values)) {
        check(
          values,
          ["controller", "extraConfMap"],
          ["controller", "extraConf"],
          ["values"],
          report,
        );
      }
      for (const { object, path } of objectsOfKind(resource, "slinky.slurm.net", "Controller")) {
        const external = at(object, "spec", "external");
        if (external === true || external === UNKNOWN) continue;
        check(object, undefined, ["spec", "extraConf"], path, report);
      }
    },
  );

/** Reads the parameter as chart and Slurm do: lines win over the map, and case does not count. */
function check(
  holder: unknown,
  map: Path | undefined,
  lines: Path,
  path: Path,
  report: Report,
): void {
  const [inMap, inLines] = [map ? at(holder, ...map) : undefined, at(holder, ...lines)];
  const hasLines = typeof inLines === "string" && inLines.trim() !== "";
  const settings = hasLines ? settingsIn(inLines) : settingsOf(inMap);
  if (inLines === UNKNOWN || (!hasLines && inMap === UNKNOWN)) return;
  const isWrong = settings.some((value) => value !== UNKNOWN && String(value).trim() !== "2");
  if (!isWrong && settings.length > 0) return;
  const isInMap = map !== undefined && !hasLines;
  report({
    field: fieldPath([...path, ...(isInMap ? [...map, "ReturnToService"] : lines)]),
    what: isWrong
      ? "sets ReturnToService to something else than 2"
      : "does not set ReturnToService to 2",
    why: "a worker whose pod was replaced stays DOWN for ever, and a rotation replaces every pod",
    fix: 'set ReturnToService to "2", once',
  });
}

function settingsOf(map: unknown): unknown[] {
  return entriesOf(map)
    .filter(([name]) => name.toLowerCase() === "returntoservice")
    .map(([, value]) => value);
}

function settingsIn(lines: string): string[] {
  return [...lines.matchAll(/^[ \t]*ReturnToService[ \t]*=[ \t]*([^\s#]*)/gim)].map(
    ([, value = ""]) => value,
  );
}
