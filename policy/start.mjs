// Pulumi's runner hands every .ts file that it requires to its own old ts-node. An ES module is loaded by Node itself,
// with everything it imports, so the pack starts from one.
import "./index.ts";
