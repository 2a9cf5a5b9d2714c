import { deriveKey, fingerprint } from "../../rotation/authKey.ts";
import type { KeyInputs } from "../../rotation/keyProperties.ts";

/** Where the key of {@link keyInputs} lives. */
export const keyPlace = "slurm/slurm-auth";

/** Inputs of a key resource with overrides. */
export const keyInputs = (overrides: Partial<KeyInputs> = {}): KeyInputs => ({
  root: Buffer.alloc(64, 1).toString("base64"),
  keySeed: "initial",
  namespace: "slurm",
  secretName: "slurm-auth",
  dataKey: "slurm.key",
  kubeconfig: "kubeconfig-1",
  context: "kind-slinky",
  deleteTimeoutSeconds: 60,
  ...overrides,
});

/** The key that inputs ask for. */
export const keyOf = ({ root, keySeed }: KeyInputs): Uint8Array => deriveKey(root, keySeed);

/** The fingerprint of that key. */
export const printOf = (inputs: KeyInputs): string => fingerprint(keyOf(inputs));
