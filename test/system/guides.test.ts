import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { blockValues, pythonValues } from '../support/guides/block-values.ts';
import {
  documents,
  type GuideBlock,
  isCommand,
  listBlocks,
  listGuideBlocks,
} from '../support/guides/guide-blocks.ts';
import { listedBlocks } from '../support/guides/listed-blocks.ts';
import { answerDifferences, missingForms, missingLines } from '../support/guides/match-answer.ts';
import {
  type RunningServer,
  startServer,
  temporaryFolder,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';
import { fileScope } from '../support/processes/test-scope.ts';
import { WAIT_LIMIT_MS } from '../support/waiting/wait-until.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const SEPARATOR = '----- next block -----';

/** Its commands are tested with the demo; its example changes the clock, so it runs last. */
const names = readdirSync(new URL('../../docs/', import.meta.url))
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -'.md'.length))
  .filter((name) => name !== 'tour')
  .sort((a, b) => Number(a === 'sandbox') - Number(b === 'sandbox'));

/** Guides for callers. Each has an example that runs. */
const CALLER_GUIDES = [
  ...['units', 'freshness', 'errors', 'limits', 'http', 'builders', 'history', 'hosted-api', 'faq'],
  ...['webhooks', 'glossary', 'mainnet', 'operations', 'sandbox'],
];

const canRunShell = (() => {
  try {
    execFileSync('bash', ['-c', 'command -v curl'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const canRunPython = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Programs read the files beside the examples. */
const examples = join(root, 'docs/examples');
const VITEST = join(root, 'node_modules/vitest/vitest.mjs');

const onEnd = fileScope();
let server: RunningServer;

beforeAll(async () => {
  server = await startServer({}, onEnd);
  await waitUntilReady(server.url);
});

test('every guide for callers has commands that run', () => {
  for (const name of CALLER_GUIDES) {
    expect(listGuideBlocks(name).some(isCommand), name).toBe(true);
  }
});

test('every JSON block of a guide is an answer that is compared, or marked as a part', () => {
  for (const name of names) {
    listGuideBlocks(name).forEach((block, index, blocks) => {
      const before = blocks[index - 1];
      if (block.language !== 'json' || (before && isCommand(before))) return;
      const isPart = block.text.includes('…');
      expect(isPart || JSON.parse(block.text), `${name}: ${block.text}`).toBeTruthy();
    });
  }
});

type Example = { readonly example?: unknown };
type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly (Example & { readonly name: string; readonly in: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Example>> };
};
type OpenApi = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/** No loan of the demo cluster can be liquidated, and its wallet may have spent what it borrowed. */
const rejections: Readonly<Record<string, string>> = {
  buildLiquidationTx: 'KLEND_LOAN_NOT_LIQUIDATABLE',
  buildLiquidationIxs: 'KLEND_LOAN_NOT_LIQUIDATABLE',
  planLoanExit: 'PLAN_UNFUNDED',
};

const takesTransaction = new Set(['decodeTransaction', 'suggestPriorityFee']);

const NEEDS_KEY = 'This operation needs an API key';

test('every request that the reference fills in succeeds on the demo cluster', async () => {
  const { url } = server;
  const getJson = async (path: string): Promise<unknown> => (await fetch(url + path)).json();
  const addresses = (await getJson('/docs/addresses.json')) as Record<string, string>;
  expect(Object.keys(addresses)).toHaveLength(9);
  const text = JSON.stringify(await getJson('/openapi.json'));
  const { paths } = JSON.parse(
    text.replaceAll(/[1-9A-HJ-NP-Za-km-z]{32,44}/g, (each) => addresses[each] ?? each),
  ) as OpenApi;
  const failures: string[] = [];
  let sent = 0;
  let built: object = {};
  for (const [template, methods] of Object.entries(paths)) {
    for (const [method, { operationId, parameters = [], requestBody }] of Object.entries(methods)) {
      const exampleOf = (name: string) =>
        String(parameters.find((each) => each.name === name)?.example);
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name));
      const query = parameters
        .filter((each) => each.in === 'query' && each.example !== undefined)
        .map(({ name, example }) => `${name}=${example}`);
      const example = requestBody?.content['application/json']?.example;
      // a recorded transaction uses lookup tables of its own cluster: the page builds one instead
      const body = takesTransaction.has(operationId) ? { ...Object(example), ...built } : example;
      const response = await fetch(`${url}${path}?${query.join('&')}`, {
        method: method.toUpperCase(),
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      });
      sent += 1;
      const isStream = response.headers.get('content-type') === 'text/event-stream';
      const answer = isStream ? '' : await response.text();
      if (isStream) await response.body?.cancel();
      if (operationId === 'buildLendDepositTx') built = JSON.parse(answer);
      const rejection = rejections[operationId] ?? (path.startsWith('/hooks') && NEEDS_KEY);
      if (rejection && answer.includes(rejection)) continue;
      if (response.status !== 200) failures.push(`${operationId}: ${answer.slice(0, 200)}`);
    }
  }
  expect(failures).toEqual([]);
  expect(sent).toBeGreaterThan(80);
});

/** Runs the commands of a guide in one shell. Returns the output of each block. */
async function runCommands(blocks: readonly GuideBlock[]): Promise<string[]> {
  const script = blocks
    .filter(isCommand)
    .map(({ text }) => text.replaceAll('http://127.0.0.1:8080', server.url))
    .join(`\necho; echo '${SEPARATOR}'\n`)
    .replaceAll(/^curl -s/gm, "curl -s -w '\\n'");
  const { stdout } = await run('bash', ['-c', `set -eu\n${script}`], { maxBuffer: 2 ** 26 });
  return stdout.split(SEPARATOR);
}

/** The answer of the last command of a block. */
const lastAnswer = (output: string): unknown => JSON.parse(output.trim().split('\n').at(-1) ?? '');

describe.skipIf(!canRunShell)('commands', () => {
  const withCommands = names.filter((name) => listGuideBlocks(name).some(isCommand));
  test.each(withCommands)('the commands of %s answer what it shows', async (name) => {
    const blocks = listGuideBlocks(name);
    const outputs = await runCommands(blocks);
    const commands = blocks.filter(isCommand);
    expect(outputs).toHaveLength(commands.length);
    commands.forEach((command, index) => {
      const output = outputs[index] ?? '';
      expect(output.trim(), command.text).not.toBe('');
      const shown = blocks[blocks.indexOf(command) + 1];
      if (shown?.language === 'json') {
        const differences = answerDifferences(lastAnswer(output), JSON.parse(shown.text));
        expect(differences, `${command.text}\n${output.slice(0, 500)}`).toEqual([]);
      }
      if (shown?.language === 'http') {
        expect(missingLines(output, shown.text), output.slice(0, 2000)).toEqual([]);
      }
      if (shown?.language === 'text') {
        expect(missingForms(output, shown.text), output.slice(0, 2000)).toEqual([]);
      }
    });
  });
});

/** The programs of a document that are not parts of others. */
function listPrograms(document: string): GuideBlock[] {
  const isListed = (text: string) =>
    listedBlocks.some((each) => each.document === document && text.startsWith(each.first));
  return listBlocks(document).filter(
    ({ language, text }) => ['js', 'ts'].includes(language) && !isListed(text),
  );
}

const isVitest = ({ text }: GuideBlock): boolean => text.includes("'@tidegate/localnet/vitest'");

/** A program as it is printed, for the server of this test, between the values of its reader. */
async function completeProgram(document: string, text: string): Promise<string> {
  const { demo } = (await (await fetch(`${server.url}/status`)).json()) as {
    readonly demo: { readonly rpcUrl: string };
  };
  const { before, after } = blockValues[document] ?? { before: '', after: '' };
  return [before, text, after]
    .join('\n')
    .replaceAll('http://127.0.0.1:8080', server.url)
    .replaceAll('https://your-rpc.example', demo.rpcUrl);
}

/** What a program prints that shows whether it was right. */
const SHOWN = /console\.log\(/;

describe('programs', () => {
  const withPrograms = documents.filter((document) =>
    listPrograms(document).some((block) => !isVitest(block)),
  );
  test.each(withPrograms)('the programs of %s run', async (document) => {
    for (const block of listPrograms(document).filter((each) => !isVitest(each))) {
      const program = await completeProgram(document, block.text);
      const args = ['--input-type=module', '--eval', program];
      const { stdout, stderr } = await run(process.execPath, args, { cwd: examples });
      expect(stderr, program).toBe('');
      if (SHOWN.test(program)) expect(stdout, program).not.toMatch(/^$|\b(false|undefined|NaN)\b/);
    }
  });

  const withTests = documents.filter((document) => listPrograms(document).some(isVitest));
  test.each(withTests)('the tests of %s pass', async (document) => {
    const folder = temporaryFolder();
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    listPrograms(document)
      .filter(isVitest)
      .forEach(({ text }, index) => {
        writeFileSync(join(folder, `printed-${index}.test.js`), text);
      });
    // the first test starts the cluster, which takes longer beside other tests
    const args = [VITEST, 'run', '--root', folder, '--test-timeout', String(WAIT_LIMIT_MS)];
    const { stdout } = await run(process.execPath, args, { cwd: folder });
    expect(stdout).toMatch(/Tests .*[1-9]\d* passed/);
  });

  test.skipIf(!canRunPython)('the program in Python runs', async () => {
    const blocks = documents.flatMap(listBlocks).filter(({ language }) => language === 'python');
    expect(blocks).toHaveLength(1);
    for (const { text } of blocks) {
      const program = [pythonValues.before, text, pythonValues.after].join('\n');
      const { stdout } = await run('python3', ['-c', program]);
      expect(stdout).toBe('True\n');
    }
  });
});
