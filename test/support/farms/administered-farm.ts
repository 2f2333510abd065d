import { globalConfig } from '#core/protocol/farms/layout/global-config.ts';
import { CONFIG, type ExampleFarm, WALLETS } from './example-farm.ts';

const [, bob] = WALLETS;

/** Bob is the admin of the farm and of the program. */
export function administered(farm: ExampleFarm): ExampleFarm {
  farm.changeFarm({ farmAdmin: bob });
  const config = farm.accounts.get(CONFIG);
  if (config === undefined) throw new Error('no config');
  const data = globalConfig.encode({ ...globalConfig.decode(config), globalAdmin: bob });
  farm.accounts.set(CONFIG, { ...config, data });
  return farm;
}
