// Decodes a reserve of the lending program from base64 and prints its supply and borrow APY.
//
//   node docs/examples/reserve-apy.js [file]
//
// The file holds the base64 data of getAccountInfo; by default the sample beside this script. `npm ci` builds
// the library.

import { readFileSync } from 'node:fs';
import {
  bytesToText,
  decodeBase64,
  formatRatio,
  formatSf,
  formatUnits,
  klend,
} from '@tidegate/core/protocol';

const file = process.argv[2] ?? new URL('reserve.base64', import.meta.url);
const data = decodeBase64(readFileSync(file, 'utf8').trim());

// Checks owner, size, discriminator and version; other bytes fail with an error code.
const reserve = klend.accounts.reserve.decode({ owner: klend.KLEND_PROGRAM, data });

// A reserve charges interest per second or per slot. One that charges per slot charges as if each took 500 ms, so its rates
// depend on the duration of a slot: 400 ms at the time of the sample, about 300 on mainnet since September 2026.
const basis = klend.math.interestRateBasis(reserve.config, klend.NEWEST_LENDING_RULES);
const slotMs = { numerator: 400n, denominator: 1n };
const rates = klend.math.reserveRates({ ...reserve, basis }, slotMs);

const { liquidity, config } = reserve;
const decimals = Number(liquidity.mintDecimals);
console.log('reserve     ', bytesToText(config.tokenInfo.name));
console.log('available   ', formatUnits(liquidity.totalAvailableAmount, decimals));
console.log('utilization ', formatSf(rates.utilization, 20));
console.log('borrow APY  ', formatRatio(rates.borrowApy, 20));
console.log('supply APY  ', formatRatio(rates.supplyApy, 20));
