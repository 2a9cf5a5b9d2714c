import { installsChart } from "../reading/charts.ts";
import { at, isAbsent, UNKNOWN } from "../reading/known.ts";
import { type ResourceRule, resourceRule } from "../rule.ts";

/**
 * The same program installs the same chart. The provider resolves the version of a Release before a policy sees it,
 * unless some input is still unknown: then this rule sees what the program wrote.
 */
export const chartsArePinned: ResourceRule = (level) =>
  resourceRule(
    {
      name: "charts-are-pinned",
      description: "Every chart from a registry or a repository has one exact version.",
      level,
    },
    (resource, report) => {
      if (!installsChart(resource)) return;
      const chart = at(resource.props, "chart");
      const version = at(resource.props, "version");
      if (chart === UNKNOWN || version === UNKNOWN || isFixedByItself(chart)) return;
      if (typeof version === "string" && isExact(version)) return;
      report({
        field: "version",
        what: isAbsent(version) ? "is not set" : "is a range or no version",
        why: "the next up may install another chart than the one that was tested",
        fix: "set the chart's exact version, as it stands in its Chart.yaml",
      });
    },
  );

/** An archive, a folder of this machine and a digest hold one chart each. */
function isFixedByItself(chart: unknown): boolean {
  const text = String(chart);
  return /\.t(ar\.)?gz$/.test(text) || /^(\.{0,2}\/|file:)/.test(text) || /@sha256:/.test(text);
}

function isExact(version: string): boolean {
  return /^v?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/.test(version);
}
