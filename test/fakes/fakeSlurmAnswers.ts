/** Slurm's JSON as data_parser v0.0.45 writes it, cut to what matters around the fields that are read. */

const plugin = {
  type: "",
  name: "",
  data_parser: "data_parser/v0.0.45",
  accounting_storage: "accounting_storage/none",
};

/** The envelope of every answer. */
export function answer(body: object, errors: readonly object[] = []): string {
  const meta = { plugin, command: ["show"], slurm: { release: "26.05.5", cluster: "slurm_slurm" } };
  return JSON.stringify({ ...body, meta, errors, warnings: [] });
}

/** A node record; fields can be replaced. */
export function nodeRecord(name: string, fields: object = {}): object {
  return {
    architecture: "x86_64",
    hostname: name,
    name,
    address: "10.244.1.5",
    state: ["IDLE", "DYNAMIC_NORM"],
    reason: "",
    reason_changed_at: { set: true, infinite: false, number: 0 },
    comment: '{"namespace":"slurm","podName":"slurm-worker-compute-0"}',
    partitions: ["compute"],
    features: ["compute"],
    cpus: 4,
    alloc_cpus: 0,
    slurmd_start_time: { set: true, infinite: false, number: 1_790_000_000 },
    version: "26.05.5",
    ...fields,
  };
}

/** A job record; fields can be replaced. */
export function jobRecord(id: number, fields: object = {}): object {
  return {
    job_id: id,
    name: "slinky-test",
    job_state: ["COMPLETED"],
    state_reason: "None",
    nodes: "compute-[0-1]",
    batch_host: "compute-0",
    partition: "compute",
    standard_output: `/tmp/slinky-test-${id}.out`,
    exit_code: {
      status: ["SUCCESS"],
      return_code: { set: true, infinite: false, number: 0 },
      signal: { id: { set: false, infinite: false, number: 0 }, name: "" },
    },
    ...fields,
  };
}
