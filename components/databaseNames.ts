/** Names by which slurmdbd finds the database and its password. */
export const databaseNames = {
  service: "slurm-database",
  port: 3306,
  database: "slurm_acct_db",
  username: "slurm",
  secret: "slurm-database",
  passwordKey: "password",
} as const;

/** Labels of the database's pod; none of them is the operator's for a component of Slurm. */
export const databaseLabels = {
  "app.kubernetes.io/name": "mariadb",
  "app.kubernetes.io/instance": databaseNames.service,
} as const;
