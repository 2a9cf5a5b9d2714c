/** The state of the stack as one report, and what is wrong with it. Pure: observations in, report and lines out. */

import type { SlurmNode } from "../cluster/slurmJson.ts";
import { DAEMON_CONTAINERS } from "../cluster/slurmPodContract.ts";
import { REST_VERSION } from "../cluster/slurmRest.ts";
import type { RestAnswer } from "../cluster/slurmRest.ts";
import type { Journal } from "../rotation/model.ts";
import { versionOf } from "./installation.ts";
import type { PodView } from "./kube.ts";
import { unreadyNodes } from "./nodesReady.ts";
import { componentOf } from "./slurmPods.ts";
import { describeJournal, describeReport } from "./rotationJournal.ts";
import type { StackOutputs } from "./stackOutputs.ts";
import { renderTable } from "./table.ts";

/** Hex digits of a fingerprint that are shown. */
const SHOWN_DIGITS = 12;

/** The key file as one holder has it. */
export interface KeyHolder {
  readonly pod: string;
  /** First 12 hex digits of the file's SHA-256; undefined when it could not be read. */
  readonly fingerprint: string | undefined;
  /** Why it could not be read. */
  readonly problem: string | undefined;
}

/** Accounting as the controller sees it. */
export type AccountingSeen =
  | { readonly state: "off" | "registered" | "unregistered" }
  | { readonly state: "silent"; readonly problem: string };

/** What was seen. */
export interface StatusObserved {
  readonly stack: string;
  readonly outputs: StackOutputs;
  readonly kubernetes: string;
  readonly pods: readonly PodView[];
  /** Undefined when Slurm did not answer; `slurmProblem` says why. */
  readonly nodes: readonly SlurmNode[] | undefined;
  readonly slurmProblem: string | undefined;
  readonly holders: readonly KeyHolder[];
  readonly rest: RestAnswer;
  readonly accounting: AccountingSeen;
  /** The last rotation; undefined before the first one, or when it cannot be read: `journalProblem` says why. */
  readonly journal: Journal | undefined;
  readonly journalProblem: string | undefined;
}

/** The report: plain data, as `--json` prints it. */
export interface StatusReport {
  readonly stack: string;
  readonly kubernetes: string;
  readonly slurm: string;
  readonly charts: Readonly<Record<string, string>>;
  readonly pods: readonly {
    readonly namespace: string;
    readonly name: string;
    readonly ready: string;
    readonly phase: string;
    readonly restarts: number;
    readonly node: string;
    readonly image: string;
  }[];
  readonly nodes: readonly {
    readonly name: string;
    readonly state: string;
    readonly class: string;
    readonly reason: string;
  }[];
  /** Answer of slurmrestd to an authenticated request: an HTTP status, or why there was none. */
  readonly rest: string;
  readonly accounting: AccountingSeen["state"];
  readonly expectedFingerprint: string;
  /** How many keys the cluster has had, from 1. */
  readonly generation: number | undefined;
  /** The last rotation in words, and its figures. */
  readonly lastRotation: { readonly journal: string; readonly report: string };
  readonly keys: readonly {
    readonly holder: string;
    readonly fingerprint: string;
    readonly verdict: "ok" | "MISMATCH" | "unreadable";
  }[];
  /** One sentence each; empty when all is well. */
  readonly problems: readonly string[];
}

/** Builds the report. */
export function toStatusReport(seen: StatusObserved): StatusReport {
  const { outputs, pods } = seen;
  const expected = outputs.keyFingerprint.replace(/^sha256:/, "").slice(0, SHOWN_DIGITS);
  const keys = seen.holders.map(({ pod, fingerprint, problem }) => ({
    holder: pod,
    fingerprint: fingerprint ?? problem ?? "",
    verdict: verdictOf(fingerprint, expected),
  }));
  const nodes = seen.nodes ?? [];
  const charts = outputs.versions["charts"];
  return {
    stack: seen.stack,
    kubernetes: seen.kubernetes,
    slurm: [...new Set(nodes.map(({ version }) => version).filter((each) => each !== ""))].join(
      ", ",
    ),
    charts: Object.fromEntries(
      Object.entries((charts ?? {}) as Record<string, unknown>).map(([name, chart]) => [
        name,
        chartVersion(chart),
      ]),
    ),
    pods: pods.map((pod) => ({
      namespace: pod.namespace,
      name: pod.name,
      ready: pod.readyCount,
      phase: pod.phase,
      restarts: pod.restarts,
      node: pod.node,
      image: mainImage(pod),
    })),
    nodes: nodes.map(({ name, stateText, state, reason }) => ({
      name,
      state: stateText,
      class: state.class,
      reason,
    })),
    rest: seen.rest.status === undefined ? "no answer" : String(seen.rest.status),
    accounting: seen.accounting.state,
    expectedFingerprint: expected,
    generation: outputs.keyRotation.generation,
    lastRotation: {
      journal: seen.journal ? describeJournal(seen.journal) : "none",
      report: describeReport(seen.journal?.report ?? {}),
    },
    keys,
    problems: [
      ...pods
        .filter((pod) => !pod.ready && pod.phase !== "Succeeded")
        .map(
          (pod) =>
            `pod ${pod.namespace}/${pod.name} is not ready (${pod.phase}, ${pod.readyCount})`,
        ),
      ...(seen.nodes === undefined
        ? [`Slurm does not answer: ${seen.slurmProblem ?? "no reason given"}`]
        : unreadyNodes(outputs.slurmRelease, outputs.nodeSets, { pods, nodes: seen.nodes })),
      ...keys
        .filter(({ verdict }) => verdict !== "ok")
        .map(({ holder, fingerprint, verdict }) =>
          verdict === "MISMATCH"
            ? `${holder} holds the key ${fingerprint}, the stack says ${expected}`
            : `the key of ${holder} cannot be read: ${fingerprint}`,
        ),
      ...restProblems(seen.rest),
      ...accountingProblems(seen.accounting),
      ...journalProblems(seen),
      ...(keys.length === 0 ? ["no pod holds the Slurm auth key"] : []),
    ],
  };
}

/** The report as text. */
export function renderStatus(report: StatusReport): string[] {
  const charts = Object.entries(report.charts).map(([name, version]) => `${name} ${version}`);
  return [
    `stack ${report.stack}: Kubernetes ${report.kubernetes}, Slurm ${report.slurm || "unknown"}`,
    `REST ${REST_VERSION}: ${report.rest}; accounting: ${report.accounting}`,
    ...(charts.length > 0 ? [`charts: ${charts.join(", ")}`] : []),
    "",
    ...renderTable(
      ["NAMESPACE", "POD", "READY", "PHASE", "RESTARTS", "NODE", "IMAGE"],
      report.pods.map((pod) => [
        pod.namespace,
        pod.name,
        pod.ready,
        pod.phase,
        String(pod.restarts),
        pod.node,
        pod.image,
      ]),
    ),
    "",
    ...renderTable(
      ["SLURM NODE", "STATE", "CLASS", "REASON"],
      report.nodes.map((node) => [node.name, node.state, node.class, node.reason || "-"]),
    ),
    "",
    ...renderTable(
      ["KEY HOLDER", "FINGERPRINT", `EXPECTED ${report.expectedFingerprint}`],
      report.keys.map((key) => [key.holder, key.fingerprint, key.verdict]),
    ),
    `generation ${report.generation ?? "unknown"}; last rotation: ${report.lastRotation.journal}`,
    ...(report.lastRotation.report === "" ? [] : [`  ${report.lastRotation.report}`]),
    "",
    ...(report.problems.length === 0
      ? ["all is well"]
      : ["PROBLEMS", ...report.problems.map((problem) => `  ${problem}`)]),
  ];
}

function restProblems({ status, problem }: RestAnswer): string[] {
  if (status === 200) return [];
  const why = status === undefined ? (problem ?? "no reason given") : `HTTP ${status}`;
  return [`slurmrestd does not serve ${REST_VERSION}: ${why}`];
}

function journalProblems({ journal, journalProblem }: StatusObserved): string[] {
  if (journalProblem !== undefined) return [`the rotation's journal: ${journalProblem}`];
  if (journal === undefined || journal.outcome !== undefined) return [];
  return ["a rotation is under way or was left unfinished; if nobody runs it, run: npm run up"];
}

function accountingProblems(seen: AccountingSeen): string[] {
  if (seen.state === "silent") return [`slurmdbd does not answer: ${seen.problem}`];
  if (seen.state !== "unregistered") return [];
  return [
    "slurmdbd does not know the cluster, so jobs leave no record; slurmctld registers anew after: " +
      "kubectl -n slurm delete pod slurm-controller-0",
  ];
}

function verdictOf(
  fingerprint: string | undefined,
  expected: string,
): "ok" | "MISMATCH" | "unreadable" {
  if (fingerprint === undefined) return "unreadable";
  return fingerprint === expected ? "ok" : "MISMATCH";
}

/** Base name and tag of the image of a pod's daemon, or of its first container. */
function mainImage(pod: PodView): string {
  const image =
    pod.images[DAEMON_CONTAINERS[componentOf(pod)] ?? ""] ?? Object.values(pod.images)[0] ?? "";
  const base = image.slice(image.lastIndexOf("/") + 1).split(/[:@]/)[0] ?? "";
  return base === "" ? "" : `${base}:${versionOf(image)}`;
}

function chartVersion(chart: unknown): string {
  if (typeof chart === "string") return chart;
  const { version, chart: path } = (chart ?? {}) as { version?: unknown; chart?: unknown };
  if (typeof version === "string") return version;
  return /-(v?\d[^/]*)\.tgz$/.exec(typeof path === "string" ? path : "")?.[1] ?? "unknown";
}
