import { createProgress } from "../progress.ts";
import { diagnose, printDiagnosis } from "./doctor.ts";
import { prepareLab, stopLab } from "./launch.ts";

/** Variables that `lab env` prints: those that differ from the caller's environment. */
function exportLines(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env)
    .filter(([name, value]) => value !== undefined && process.env[name] !== value)
    .map(([name, value]) => `export ${name}='${value?.replaceAll("'", "'\\''")}'`);
}

const usage = `usage: node lab/main.ts build | env | doctor | stop
  build   build toolchain, images and charts that are missing, start the Docker engine
  env     the same, then print the environment for a shell: eval "$(npm run -s lab:env)"
  doctor  say what this machine lacks for the lab
  stop    stop the Docker engine that the lab started`;

async function main(command: string | undefined): Promise<number> {
  const progress = createProgress();
  switch (command) {
    case "build":
      await prepareLab(progress);
      return 0;
    case "env":
      console.log(exportLines(await prepareLab(progress)).join("\n"));
      return 0;
    case "doctor":
      return printDiagnosis(await diagnose());
    case "stop":
      await stopLab(progress);
      return 0;
    default:
      console.error(usage);
      return 2;
  }
}

try {
  process.exitCode = await main(process.argv[2]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
