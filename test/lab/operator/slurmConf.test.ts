import { strict as assert } from "node:assert";
import { toSlurmConf } from "../../../lab/operator/builders/slurmConf.ts";
import type { Accounting, Controller, NodeSet } from "../../../lab/operator/crds.ts";
import { recordedObject } from "./recordedObject.ts";

const controller = recordedObject<Controller>("Controller", "slurm");
const accounting = recordedObject<Accounting>("Accounting", "slurm");
const nodeSet = recordedObject<NodeSet>("NodeSet", "slurm-worker-compute");

function settings(conf: string): string[] {
  return conf.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

function withExtraConf(extraConf: string): Controller {
  return { ...controller, spec: { ...controller.spec, extraConf } };
}

describe("toSlurmConf", () => {
  it("recorded cluster => every line of the contract in its order", () => {
    const conf = toSlurmConf({
      controller: withExtraConf("ReturnToService=2"),
      accounting,
      nodeSets: [nodeSet],
    });
    assert.deepEqual(settings(conf), [
      "ClusterName=slurm_slurm",
      "SlurmUser=slurm",
      "SlurmctldHost=slurm-controller-0(slurm-controller.slurm)",
      "SlurmctldPort=6817",
      "StateSaveLocation=/var/spool/slurmctld/slurm_slurm",
      "SlurmdUser=root",
      "SlurmdPort=6818",
      "SlurmdSpoolDir=/var/spool/slurmd",
      "MaxNodeCount=1024",
      "SlurmctldLogFile=/var/log/slurm/slurmctld.log",
      "SlurmSchedLogFile=/var/log/slurm/slurmctld.log",
      "SlurmdLogFile=/var/log/slurm/slurmd.log",
      "AuthType=auth/slurm",
      "CredType=cred/slurm",
      "AuthAltTypes=auth/jwt",
      "AuthAltParameters=jwt_key=/etc/slurm/jwt.key",
      "AuthInfo=use_client_ids",
      "SlurmctldParameters=enable_configless,reconfig_on_restart",
      "AccountingStorageType=accounting_storage/slurmdbd",
      "AccountingStorageHost=slurm-accounting",
      "AccountingStoragePort=6819",
      "NodeSet=compute Feature=compute",
      "PartitionName=compute Nodes=compute",
      "ReturnToService=2",
    ]);
  });

  it("user sets a merged parameter => one line with both values, lower-cased", () => {
    const extra = "SlurmctldParameters=Power_Save_Interval=5,enable_configless\nAuthInfo=TTL=90";
    const lines = settings(toSlurmConf({ controller: withExtraConf(extra), nodeSets: [] }));
    const parameters = lines.filter((line) => line.startsWith("SlurmctldParameters="));
    assert.deepEqual(parameters, [
      "SlurmctldParameters=enable_configless,reconfig_on_restart,power_save_interval=5",
    ]);
    assert.ok(lines.includes("AuthInfo=use_client_ids,ttl=90"));
  });

  it("no accounting, partition with parameters, scripts => said so", () => {
    const busy = {
      ...nodeSet,
      spec: { ...nodeSet.spec, partition: { enabled: true, config: "Default=YES" } },
    };
    const lines = settings(
      toSlurmConf({
        controller,
        nodeSets: [busy],
        scripts: { Prolog: ["20-b.sh", "10-a.sh"], EpilogSlurmctld: ["done.sh"] },
      }),
    );
    assert.ok(lines.includes("AccountingStorageType=accounting_storage/none"));
    assert.ok(lines.includes("PartitionName=compute Nodes=compute Default=YES"));
    assert.deepEqual(
      lines.filter((line) => /^(Pro|Epi)log/.test(line)),
      ["EpilogSlurmctld=/etc/slurm/done.sh", "Prolog=10-a.sh", "Prolog=20-b.sh"],
    );
  });
});
