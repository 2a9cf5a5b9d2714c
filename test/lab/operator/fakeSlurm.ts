import type { SlurmNode, SlurmNodeChange } from "../../../lab/operator/slurm/nodeState.ts";
import type { SlurmApi } from "../../../lab/operator/slurm/restClient.ts";

/** In-memory slurmctld: node states with DRAIN and UNDRAIN as Slurm sets them; `error` makes every call fail. */
export class FakeSlurm implements SlurmApi {
  readonly nodesByName = new Map<string, SlurmNode>();
  error: Error | undefined;

  constructor(...nodes: Partial<SlurmNode>[]) {
    for (const node of nodes) {
      this.register(node);
    }
  }

  register(node: Partial<SlurmNode>): void {
    const full = { name: "", state: ["IDLE"], reason: "", comment: "", ...node };
    this.nodesByName.set(full.name, full);
  }

  nodes(): Promise<SlurmNode[]> {
    if (this.error !== undefined) {
      return Promise.reject(this.error);
    }
    return Promise.resolve(structuredClone([...this.nodesByName.values()]));
  }

  updateNode(name: string, change: SlurmNodeChange): Promise<void> {
    const node = this.node(name);
    if (change.state === "DRAIN") {
      node.state = [...new Set([...node.state, "DRAIN"])];
    } else if (change.state === "UNDRAIN") {
      node.state = node.state.filter((state) => state !== "DRAIN");
    } else if (change.state === "IDLE") {
      node.state = ["IDLE", ...node.state.filter((state) => state === "DRAIN")];
    }
    node.reason = change.reason ?? node.reason;
    node.comment = change.comment ?? node.comment;
    return Promise.resolve();
  }

  node(name: string): SlurmNode {
    const node = this.nodesByName.get(name);
    if (node === undefined) {
      throw new Error(`the fake Slurm has no node ${name}`);
    }
    return node;
  }
}
