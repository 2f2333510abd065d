import { toAddress } from '#core/base/encoding/address.ts';

/** The main market, its reserves, and loans in them. */
export const MAIN_MARKET = toAddress('7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF');
export const MAIN_USDC_RESERVE = toAddress('D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59');
export const MAIN_SOL_RESERVE = toAddress('d4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q');
/** A lookup table of lending transactions. */
export const LENDING_LOOKUP_TABLE = toAddress('33EucPaS4a588jJJn1Ld3Ka9ye15VpgRLvjVTEPtZLCa');
/** Deposits SOL, owes USDC. */
export const SOL_USDC_LOAN = toAddress('34SLPUSyjEBWdT4vMyr1uicCMvSNjQzyYdJWCdAW4MXh');
export const SOL_USDC_OWNER = toAddress('4EiYqK5PCfLVyvL3WQRkifkPoVtaRHdTvYTzeLkydtHW');
/** Deposits USDC, owes nothing. */
export const USDC_DEPOSIT_LOAN = toAddress('CQNMXyiAmWiANZp4tTpACEnN5z4xmNDaYzirSFLX2hcY');
export const USDC_DEPOSIT_OWNER = toAddress('HRpCJaTjXMgxsDAHSLHTQigUmezEitySEf6SWWmLsiNY');
/** The reserve of the debt is not recorded. */
export const UNKNOWN_RESERVE_LOAN = toAddress('2HNipSa8PHXN77Pmymq22k8fnh2yT4p8snaofCkuDzqk');
export const UNKNOWN_RESERVE = toAddress('H3t6qZ1JkguCNTi9uzVKqQ7dvt2cum4XiXWom6Gn5e5S');
export const UNKNOWN_RESERVE_OWNER = toAddress('3KkW9VDKHz67U9sx3fN66AsivDKeYAraGjqAMo4oeg4D');

/** A vault, the reserve of most of its tokens and that reserve's market, which is not recorded. */
export const USDC_VAULT = toAddress('67dqmR76uAbjX6e81A1ganKv3ou31WUMEdeWJkwVfeXy');
export const USDC_VAULT_SHARES_MINT = toAddress('8AdtvdRN5s5CGrZEFx9E3ncrnjaUNo5K26uqv83NsGxr');
export const VAULT_RESERVE = toAddress('AYL4LMc4ZCVyq3Z7XPJGWDM4H9PiWjqXAAuuHBEGVR2Z');
export const VAULT_MARKET = toAddress('47tfyEG9SsdEnUm9cw5kY9BXngQGqu3LBoop9j5uTAv8');
/** The vault also lends to this reserve, which is not recorded. */
export const UNRECORDED_RESERVE = toAddress('4QKFoFDzNFnvfkzVazABbCEfMwd3y1pZqUVzmpnkCphj');
/** The vault once lent to this reserve, which is not recorded. */
export const EMPTY_ALLOCATION_RESERVE = toAddress('9GJ9GBRwCp4pHmWrQ43L5xpc9Vykg7jnfwcFGN8FoHYu');
/** A token account without delegate. */
export const RECORDED_TOKEN_ACCOUNT = toAddress('76Nzx5DqDre5SSP7wyNTHzYTvqeQaf1V9ZSCV7pofcH8');

/** The price account of the newest recorded reserves, which is not recorded. */
export const PRICE_FEED = toAddress('3t4JZcueEzTbVP6kLxXrL3VpWx45jDer4eqysweBchNH');
/** A recorded price account of 2025. */
export const RECORDED_PRICE_FEED = toAddress('3NJYftD5sjVfxSnUdZ1wVML8f3aC6mp1CXCL6L7TnU8C');

export const USDC_MINT = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
export const SOL_MINT = toAddress('So11111111111111111111111111111111111111112');
