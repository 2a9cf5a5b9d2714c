import type { types } from "@pulumi/kubernetes";
import { databaseLabels, databaseNames } from "./databaseNames.ts";
import type { MariaDbArgs } from "./mariaDb.ts";

/** User of the upstream image's mariadbd. */
const mysqlId = 999;

/** Settings that slurmdbd asks for (Slurm accounting guide, MySQL configuration), sized for a small cluster. */
const serverOptions = [
  "--bind-address=0.0.0.0",
  "--skip-name-resolve",
  "--innodb-buffer-pool-size=128M",
  "--innodb-lock-wait-timeout=900",
  "--max-allowed-packet=16M",
];

const secretFolder = "/run/secrets/database";
const passwordFile = `${secretFolder}/${databaseNames.passwordKey}`;

/** A query as slurmdbd's user over TCP: neither the server that initialises the volume nor a wrong password passes. */
const query = [
  "sh",
  "-c",
  `MYSQL_PWD="$(cat ${passwordFile})" exec mariadb --host=127.0.0.1 --user="$MARIADB_USER" --execute="SELECT 1" "$MARIADB_DATABASE"`,
];

/** Pure: the StatefulSet's spec. Its claim is never deleted with it: the records of finished jobs stay. */
export function toMariaDbSpec(
  args: Pick<MariaDbArgs, "image" | "imagePullSecrets" | "storage">,
): types.input.apps.v1.StatefulSetSpec {
  const { size, storageClass } = args.storage;
  return {
    replicas: 1,
    serviceName: databaseNames.service,
    selector: { matchLabels: { ...databaseLabels } },
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
    template: {
      metadata: { labels: { ...databaseLabels } },
      spec: {
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        imagePullSecrets: args.imagePullSecrets.map((name) => ({ name })),
        terminationGracePeriodSeconds: 60,
        securityContext: {
          runAsUser: mysqlId,
          runAsGroup: mysqlId,
          runAsNonRoot: true,
          fsGroup: mysqlId,
          fsGroupChangePolicy: "OnRootMismatch",
        },
        containers: [
          {
            name: "mariadb",
            image: args.image,
            args: serverOptions,
            env: [
              { name: "MARIADB_DATABASE", value: databaseNames.database },
              { name: "MARIADB_USER", value: databaseNames.username },
              { name: "MARIADB_PASSWORD_FILE", value: passwordFile },
              // Nobody needs root: its password is thrown away, and it may not come over the network.
              { name: "MARIADB_RANDOM_ROOT_PASSWORD", value: "1" },
              { name: "MARIADB_ROOT_HOST", value: "localhost" },
            ],
            ports: [{ name: "mysql", containerPort: databaseNames.port }],
            startupProbe: { exec: { command: query }, periodSeconds: 2, failureThreshold: 150 },
            readinessProbe: { exec: { command: query }, periodSeconds: 5, timeoutSeconds: 5 },
            livenessProbe: {
              tcpSocket: { port: databaseNames.port },
              periodSeconds: 10,
              failureThreshold: 6,
            },
            resources: { requests: { cpu: "100m", memory: "384Mi" } },
            securityContext: { allowPrivilegeEscalation: false },
            volumeMounts: [
              { name: "data", mountPath: "/var/lib/mysql" },
              { name: "run", mountPath: "/run/mysqld" },
              { name: "password", mountPath: secretFolder, readOnly: true },
            ],
          },
        ],
        volumes: [
          { name: "run", emptyDir: { medium: "Memory" } },
          { name: "password", secret: { secretName: databaseNames.secret, defaultMode: 0o440 } },
        ],
      },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: "data" },
        spec: {
          accessModes: ["ReadWriteOnce"],
          ...(storageClass && { storageClassName: storageClass }),
          resources: { requests: { storage: size } },
        },
      },
    ],
  };
}
