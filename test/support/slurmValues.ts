import { toSlurmValues } from "../../components/slurmValues.ts";
import { AUTH_SECRET, JWT_SECRET } from "../../rotation/wireNames.ts";
import { defaultImages } from "../../versions.ts";
import { nodeSet, noScripts } from "./componentInputs.ts";

/** The chart's values, three levels deep. */
export type Values = Record<string, Record<string, Record<string, unknown>>>;
type Args = Parameters<typeof toSlurmValues>[0];

const secrets = { auth: AUTH_SECRET, jwt: JWT_SECRET };

const args = (overrides: Partial<Args> = {}): Args => ({
  images: defaultImages,
  imagePullSecrets: [],
  nodeSets: { compute: nodeSet() },
  partitions: {},
  loginSets: {},
  sssdSecret: undefined,
  accounting: undefined,
  slurmConf: {},
  configFiles: {},
  scripts: noScripts,
  controllerStorage: { size: "4Gi" },
  ...overrides,
});

/** Values of the chart for one NodeSet and nothing else, with overrides. */
export const slurmValues = (overrides: Partial<Args> = {}) =>
  toSlurmValues(args(overrides), secrets) as Values;
