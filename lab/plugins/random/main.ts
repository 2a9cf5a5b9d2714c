import { main } from "@pulumi/pulumi/provider/index.js";
import { RandomProvider } from "./randomProvider.ts";

await main(new RandomProvider(), process.argv.slice(2));
