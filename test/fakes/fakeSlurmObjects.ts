import type { Component } from "../../rotation/ports.ts";

/** A pod of the fake; it mounts the live Secret when it starts, through its node's kubelet. */
export interface FakePod {
  name: string;
  uid: string;
  component: Component;
  set: string;
  slurmNode: string;
  kubernetesNode: string;
  startsAt: number;
  /** Bytes it mounted and its daemon loaded; undefined until it runs. */
  key?: Uint8Array;
  goneAt?: number;
}

/** A Slurm node record. */
export interface FakeNode {
  name: string;
  reason: string;
  drain: boolean;
  down: boolean;
  silent: boolean;
  startedAt: number;
}

/** A job. */
export interface FakeJob {
  id: number;
  name: string;
  /** Nodes it needs; `on` is set while it runs. */
  count: number;
  only?: string;
  inReservation: boolean;
  seconds: number;
  state: "PENDING" | "RUNNING" | "COMPLETED" | "CANCELLED";
  on: string[];
  endsAt: number;
  /** Times it was killed by a pod's end. */
  kills: number;
}

/** Whether two optional keys are the same bytes. */
export function sameBytes(left: Uint8Array | undefined, right: Uint8Array | undefined): boolean {
  return left !== undefined && right !== undefined && Buffer.compare(left, right) === 0;
}
