import type { Command, CommandFlag } from '../command.ts';

const CONNECTION: readonly CommandFlag[] = [
  { name: 'url', value: 'URL', description: 'Same as --tidegate-url.', setting: 'tidegateUrl' },
  {
    name: 'api-key',
    value: 'KEY',
    description: 'Same as --tidegate-api-key. Other users of this machine can see flags.',
    setting: 'tidegateApiKey',
  },
  {
    name: 'env',
    value: 'NAME',
    description: 'Cluster, such as mainnet-beta. The default is the primary one of the server.',
  },
];

const HOOK = { name: 'ID', description: 'ID of the webhook, as hooks list shows it.' };

const shared = {
  settings: ['tidegateUrl', 'tidegateApiKey'],
} as const satisfies Partial<Command>;

const DETAILS = 'It calls the API of a running server with an API key, whose webhooks it manages.';

const listCommand: Command = {
  ...shared,
  name: 'hooks list',
  summary: 'List the webhooks of an API key.',
  details: DETAILS,
  args: [],
  flags: CONNECTION,
  run: async (input) => (await import('../../composition/tasks/hooks.ts')).printHooks(input),
};

const TRIGGER_FLAGS: readonly CommandFlag[] = [
  {
    name: 'type',
    value: 'TYPE',
    description:
      'loanHealth, liquidation, vaultApy, vaultLiquidity, reservePrice, reserveCap, walletTransactions or programUpgraded.',
    isRequired: true,
  },
  { name: 'obligation', value: 'ADDRESS', description: 'Loan of loanHealth or liquidation.' },
  {
    name: 'wallet',
    value: 'ADDRESS',
    description: 'Wallet of walletTransactions, or of all loans of loanHealth or liquidation.',
  },
  { name: 'vault', value: 'ADDRESS', description: 'Vault of vaultApy or vaultLiquidity.' },
  { name: 'reserve', value: 'ADDRESS', description: 'Reserve of reservePrice or reserveCap.' },
  { name: 'program', value: 'NAME', description: 'klend, kvault, farms or scope; default: all.' },
  { name: 'metric', value: 'NAME', description: 'ltv or distanceToLiquidation.' },
  { name: 'cap', value: 'NAME', description: 'deposit or borrow.' },
  { name: 'threshold', value: 'NUMBER', description: 'Value to cross.' },
  { name: 'hysteresis', value: 'NUMBER', description: 'The default is 1 % of the threshold.' },
  { name: 'direction', value: 'NAME', description: 'rising, falling or both, the default.' },
];

const addCommand: Command = {
  ...shared,
  name: 'hooks add',
  summary: 'Create a webhook; print its ID and its secret.',
  details: `${DETAILS} The secret is shown once.`,
  args: [{ name: 'URL', description: 'Where deliveries are sent.' }],
  flags: [
    ...TRIGGER_FLAGS,
    { name: 'description', value: 'TEXT', description: 'A note.' },
    ...CONNECTION,
  ],
  run: async (input) => (await import('../../composition/tasks/hooks.ts')).addHook(input),
};

const removeCommand: Command = {
  ...shared,
  name: 'hooks remove',
  summary: 'Delete a webhook with its log.',
  args: [HOOK],
  flags: CONNECTION,
  run: async (input) => (await import('../../composition/tasks/hooks.ts')).removeHook(input),
};

const enableCommand: Command = {
  ...shared,
  name: 'hooks enable',
  summary: 'Enable a webhook that was disabled.',
  args: [HOOK],
  flags: CONNECTION,
  run: async (input) => (await import('../../composition/tasks/hooks.ts')).reactivateHook(input),
};

const logCommand: Command = {
  ...shared,
  name: 'hooks log',
  summary: 'List the newest deliveries of a webhook.',
  args: [HOOK],
  flags: [
    { name: 'state', value: 'STATE', description: 'pending, delivered, failed or cancelled.' },
    { name: 'limit', value: 'N', description: 'The default is 20.' },
    ...CONNECTION,
  ],
  run: async (input) => (await import('../../composition/tasks/hooks.ts')).printDeliveries(input),
};

const replayCommand: Command = {
  ...shared,
  name: 'hooks replay',
  summary: 'Send deliveries of a webhook again, with their IDs.',
  args: [HOOK],
  flags: [
    { name: 'delivery', value: 'ID', description: 'One delivery.' },
    { name: 'since', value: 'TIME', description: 'All from this time on, in ISO 8601.' },
    { name: 'until', value: 'TIME', description: 'The end of that time. The default is now.' },
    ...CONNECTION,
  ],
  run: async (input) => (await import('../../composition/tasks/hooks.ts')).requestReplay(input),
};

const testCommand: Command = {
  ...shared,
  name: 'hooks test',
  summary: 'Send a test delivery and print its result.',
  args: [HOOK],
  flags: CONNECTION,
  run: async (input) => (await import('../../composition/tasks/hooks.ts')).sendTest(input),
};

const rotateCommand: Command = {
  ...shared,
  name: 'hooks rotate',
  summary: 'Replace the secret of a webhook and print the new one.',
  details: 'For 24 hours deliveries have a signature with each of the two secrets.',
  args: [HOOK],
  flags: CONNECTION,
  run: async (input) => (await import('../../composition/tasks/hooks.ts')).rotateSecret(input),
};

export const hookCommands: readonly Command[] = [
  listCommand,
  addCommand,
  removeCommand,
  logCommand,
  replayCommand,
  testCommand,
  enableCommand,
  rotateCommand,
];
