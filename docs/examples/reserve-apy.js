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

// Slots take about 400 ms. A reserve that charges per slot charges as if each took 500.
const rates = klend.math.reserveRates(reserve, { numerator: 400n, denominator: 1n });

const { liquidity, config } = reserve;
const decimals = Number(liquidity.mintDecimals);
console.log('reserve     ', bytesToText(config.tokenInfo.name));
console.log('available   ', formatUnits(liquidity.totalAvailableAmount, decimals));
console.log('utilization ', formatSf(rates.utilization, 20));
console.log('borrow APY  ', formatRatio(rates.borrowApy, 20));
console.log('supply APY  ', formatRatio(rates.supplyApy, 20));
