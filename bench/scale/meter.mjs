// Preloaded into a command that is measured: leaves what it took in the file named by SCALE_METER when the process ends.
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(
    process.env.SCALE_METER,
    JSON.stringify({
      seconds: process.uptime(),
      cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
      peakMb: maxRSS / 1024,
    }),
  );
});
