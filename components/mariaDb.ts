import * as pulumi from "@pulumi/pulumi";
import { StatefulSet } from "@pulumi/kubernetes/apps/v1/statefulSet.js";
import { Secret } from "@pulumi/kubernetes/core/v1/secret.js";
import { Service } from "@pulumi/kubernetes/core/v1/service.js";
import type { Storage } from "../config/storage.ts";
import { childOptions } from "./childOptions.ts";
import { databaseLabels, databaseNames } from "./databaseNames.ts";
import { toMariaDbSpec } from "./mariaDbSpec.ts";

/** Arguments of {@link MariaDb}. */
export interface MariaDbArgs {
  /** Image with the entry point of the upstream mariadb image (its MARIADB_* variables). */
  image: string;
  /** Names of image pull Secrets in the namespace. */
  imagePullSecrets: readonly string[];
  /** Namespace of Slurm. */
  namespace: pulumi.Input<string>;
  /** Volume of the tables; it outlives this component and goes with the namespace. */
  storage: Storage;
  /** Password of slurmdbd's user; secret. It is set once, when the volume is new. */
  password: pulumi.Input<string>;
  /** How long until the database answers. */
  timeoutSeconds: number;
}

/** A MariaDB for slurmdbd: one pod, its volume, its Service and an immutable Secret with its password. */
export class MariaDb extends pulumi.ComponentResource {
  constructor(name: string, args: MariaDbArgs, opts: pulumi.ComponentResourceOptions = {}) {
    super("slinky-stack:components:MariaDb", name, {}, opts);
    const metadata = {
      name: databaseNames.service,
      namespace: args.namespace,
      labels: { ...databaseLabels },
    };
    const secret = new Secret(
      `${name}-password`,
      {
        metadata: { ...metadata, name: databaseNames.secret },
        immutable: true,
        stringData: { [databaseNames.passwordKey]: pulumi.secret(args.password) },
      },
      childOptions(this, opts),
    );
    new Service(
      `${name}-service`,
      {
        metadata,
        spec: {
          clusterIP: "None",
          selector: { ...databaseLabels },
          ports: [{ name: "mysql", port: databaseNames.port }],
        },
      },
      childOptions(this, opts),
    );
    new StatefulSet(
      name,
      { metadata, spec: toMariaDbSpec(args) },
      childOptions(this, opts, {
        dependsOn: [secret],
        customTimeouts: { create: `${args.timeoutSeconds}s`, update: `${args.timeoutSeconds}s` },
      }),
    );
    this.registerOutputs({});
  }
}
