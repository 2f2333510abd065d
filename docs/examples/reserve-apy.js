// Decodes a reserve of the lending program from base64 and prints what lending and borrowing it yields.
//
//   node docs/examples/reserve-apy.js [file]
//
// The file holds what an RPC node answers to getAccountInfo with encoding base64; without one it is the
// sample beside this script. `npm ci` has built the library.

import { readFileSync } from 'node:fs';
import {
  decodeBase64,
  formatRatio,
  formatSf,
  formatUnits,
  klend,
  textOfBytes,
} from '@tidegate/core/protocol';

const file = process.argv[2] ?? new URL('reserve.base64', import.meta.url);
const data = decodeBase64(readFileSync(file, 'utf8').trim());

// Owner, size, first bytes and version are checked: bytes of anything else are refused with a code.
const reserve = klend.accounts.reserve.decode({ owner: klend.KLEND_PROGRAM, data });

// Slots really take about 400 ms; the program charges by the slot, as if each took 500.
const rates = klend.math.reserveRates(reserve, { numerator: 400n, denominator: 1n });

const { liquidity, config } = reserve;
const decimals = Number(liquidity.mintDecimals);
console.log('reserve     ', textOfBytes(config.tokenInfo.name));
console.log('available   ', formatUnits(liquidity.totalAvailableAmount, decimals));
console.log('utilization ', formatSf(rates.utilization, 20));
console.log('borrow APY  ', formatRatio(rates.borrowApy, 20));
console.log('supply APY  ', formatRatio(rates.supplyApy, 20));
