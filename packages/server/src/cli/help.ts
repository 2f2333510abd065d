import { flagName, settings } from './settings/settings.ts';

/** Usage, and every setting with its default. */
export function helpText(): string {
  const rows = Object.values(settings).map((setting) => {
    const shown = setting.default === '' ? 'none' : setting.default;
    const plain = setting.sentence.replaceAll('`', '');
    return `  --${flagName(setting.env)}  (${setting.env}, default ${shown})\n      ${plain}`;
  });
  return `Usage: tidegate <command> [--setting value ...]

Commands:
  serve                                    run the API (what npm start does)
  localnet [--port N]                      run the embedded cluster alone
  both [--seed TEXT] [--days N] [--until TIME] [--speed N] [--programs DIR]
                                           short for --localnet-seed and so on
       [--fresh]                           play the embedded cluster anew
  backfill [--until TIME | --days N] [--address A ...]
                                           bring events of the past of RPC_URL into the history
  import --from URL [--until TIME | --days N]
                                           copy series of another instance into the history
  replay                                   make all rows of the history again from what was kept raw
  programs pull --rpc URL --out DIR        fetch the programs of a cluster for it
  keys create [--name NAME] [--limit N/T]  make an API key; it is shown once
  keys list                                the keys and their state
  keys revoke ID                           make a key invalid, also for a running server
  rewards import FILE                      take in seasons, also for a running server
  rewards list                             the seasons that were taken in
  rewards remove SOURCE                    forget one of them
  --help, --version

Settings, as flags or in the environment (a flag wins):
${rows.join('\n')}
`;
}
