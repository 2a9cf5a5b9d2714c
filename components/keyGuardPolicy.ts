import {
  AUTH_SECRET,
  CREATION_MARK_PREFIX,
  FINGERPRINT_ANNOTATION,
  GENERATION_ANNOTATION,
  KEY_SECRET_NAMES,
  ROTATE_VERB,
  UNLOCK_ANNOTATION,
} from "../rotation/wireNames.ts";

/*
 * Admission rules in CEL. They decide from the object, its namespace and the authorizer; never from a parameter: once
 * no binding names a built-in parameter kind for a second, the API server refuses everything for good
 * (kubernetes#130887).
 */

/** The value of an annotation, empty where there is none. */
const annotation = (object: string, name: string): string =>
  `${object}.metadata.?annotations[?'${name}'].orValue('')`;

const only = (operation: "CREATE" | "UPDATE" | "DELETE", rule: string): string =>
  `request.operation != '${operation}' || (${rule})`;

/** A policy that refuses what it cannot judge. */
interface PolicySpec {
  readonly failurePolicy: "Fail";
  readonly matchConstraints: object;
  readonly matchConditions?: readonly object[];
  readonly variables: readonly { name: string; expression: string }[];
  readonly validations: readonly { expression: string; message: string; reason: "Forbidden" }[];
}

const validation = (expression: string, message: string) =>
  ({ expression, message, reason: "Forbidden" }) as const;

const rulesFor = (resource: string, operations: readonly string[]) => ({
  resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations, resources: [resource] }],
});

const marks = [FINGERPRINT_ANNOTATION, GENERATION_ANNOTATION, UNLOCK_ANNOTATION];

/** No key Secret is changed, deleted or created but by the engine of the rotation, step by step. */
export const keySecretsPolicy: PolicySpec = {
  failurePolicy: "Fail",
  matchConstraints: rulesFor("secrets", ["CREATE", "UPDATE", "DELETE"]),
  matchConditions: [
    {
      name: "is-a-key",
      expression: `(request.operation == 'DELETE' ? oldObject : object).metadata.?name.orValue('').matches('${KEY_SECRET_NAMES}')`,
    },
  ],
  variables: [
    {
      name: "mayRotate",
      expression:
        "authorizer.group('').resource('secrets').namespace(request.namespace)" +
        ".name((request.operation == 'DELETE' ? oldObject : object).metadata.name)" +
        `.check('${ROTATE_VERB}').allowed()`,
    },
    {
      name: "announced",
      expression: `namespaceObject.metadata.?annotations[?('${CREATION_MARK_PREFIX}' + object.metadata.name)].orValue('none')`,
    },
    {
      name: "arriving",
      expression: `${annotation("object", GENERATION_ANNOTATION)} + '/' + ${annotation("object", FINGERPRINT_ANNOTATION)}`,
    },
  ],
  validations: [
    validation(
      "request.operation == 'DELETE' || object.?immutable.orValue(false)",
      "a Slurm key Secret must be immutable",
    ),
    validation(
      only("CREATE", "variables.mayRotate && variables.announced == variables.arriving"),
      "a Slurm key Secret is created by a rotation only; change keySeed and run pulumi up",
    ),
    validation(
      only("UPDATE", "object.?data == oldObject.?data && object.type == oldObject.type"),
      "a Slurm key is not edited in place: pods would go on with the old one; change keySeed and run pulumi up",
    ),
    validation(
      only(
        "UPDATE",
        `variables.mayRotate || (${marks.map((name) => `${annotation("object", name)} == ${annotation("oldObject", name)}`).join(" && ")})`,
      ),
      "the marks on a Slurm key Secret are written by a rotation only",
    ),
    validation(
      only(
        "DELETE",
        "has(namespaceObject.metadata.deletionTimestamp) || (variables.mayRotate && " +
          `${annotation("oldObject", UNLOCK_ANNOTATION)} == oldObject.metadata.uid && ` +
          "request.options.?preconditions.?uid.orValue('') == oldObject.metadata.uid)",
      ),
      "a Slurm key Secret is deleted by a rotation or pulumi destroy only: the cluster would lose its key",
    ),
  ],
};

const namespaceMarks = (object: string): string =>
  `${object}.metadata.?annotations.orValue({}).map(name, name.startsWith('${CREATION_MARK_PREFIX}'), ` +
  `name + '=' + ${object}.metadata.annotations[name])`;

/** Who may not rotate may not announce a key Secret either. */
export const creationMarksPolicy: PolicySpec = {
  failurePolicy: "Fail",
  matchConstraints: rulesFor("namespaces", ["UPDATE"]),
  variables: [
    {
      name: "mayRotate",
      expression:
        "authorizer.group('').resource('secrets').namespace(object.metadata.name)" +
        `.name('${AUTH_SECRET.name}').check('${ROTATE_VERB}').allowed()`,
    },
    { name: "before", expression: namespaceMarks("oldObject") },
    { name: "after", expression: namespaceMarks("object") },
  ],
  validations: [
    validation(
      "variables.mayRotate || (variables.after.all(mark, mark in variables.before) && variables.before.all(mark, mark in variables.after))",
      "which Slurm key Secret may be created is announced by a rotation only",
    ),
  ],
};
