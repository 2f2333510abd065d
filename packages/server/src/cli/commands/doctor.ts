import type { Command } from '../command.ts';
import { settingNames } from '../settings/settings.ts';

const TIMEOUT_MS = 10_000;

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check settings, endpoints, database, disk and memory.',
  details:
    'Prints one line per check: ok, warning or problem, and what to change. Changes nothing and prints no credentials. The exit code is 1 if there is a problem.',
  args: [],
  flags: [{ name: 'json', description: 'Print JSON.' }],
  settings: settingNames,
  acceptsInvalidSettings: true,
  run: async ({ flags, config, invalidSettings }) => {
    const [{ runDoctor }, { findingsJson, formatFindings, hasProblem }, { createServerLog }] =
      await Promise.all([
        import('../doctor/run-doctor.ts'),
        import('../doctor/finding.ts'),
        import('../logging/server-log.ts'),
      ]);
    const { log, close } = createServerLog({ ...config, logLevel: 'silent' });
    const options = { invalid: invalidSettings, log, clock: Date.now, timeoutMs: TIMEOUT_MS };
    const findings = await runDoctor(config, options).finally(close);
    const output = flags['json'] === undefined ? formatFindings(findings) : findingsJson(findings);
    return { output, exitCode: hasProblem(findings) ? 1 : 0 };
  },
};
