/**
 * Stake pools of the staked SOL tokens that have reserves, by mint. Only pools of the SPL stake pool program and its Sanctum
 * deployments: `decodeStakePool` reads no others, such as Marinade's (mSOL), Lido's (stSOL) and Infinity's (INF).
 */
export const mainnetStakePools = {
  /** adraSOL */
  sctmY8fJucsJatwHz6P48RuWBBkdBMNmSMuBYrWFdrw: '2XhsHdwf4ZDpp2JhpTqPovoVy3L2Atfp1XkLqFMwGP4Y',
  /** bbSOL */
  Bybit2vBJGhPF52GBdNaQfUJ6ZpThSgHBobjWZpLPb4B: '2aMLkB5p5gVvCwKkdSo5eZAL1WwhZbxezQr1wxiynRhq',
  /** BNSOL */
  BNso1VUJnh4zcfpZa6986Ea66P6TCp59hvtNJ8b1X85: 'Hr9pzexrBge3vgmBNRR8u42CNQgBXdHm4UkUN2DH4a7r',
  /** bonkSOL */
  BonK1YhkXEGLZzwtcvRTip3gAL9nCeQD7ppZBLXhtTs: 'ArAQfbzsdotoKB5jJcZa3ajQrrPcWr2YQoDAEAiFxJAC',
  /** bSOL */
  bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1: 'stk9ApL5HeVAwPLr3TLhDXdZS8ptVu7zp6ov8HFDuMi',
  /** CDCSOL */
  CDCSoLckzozyktpAp9FWT3w92KFJVEUxAU7cNu2Jn3aX: '8B9yuGU5SbXLE56k4yH2AfqbMXNEah7MJMbZKDPqg23X',
  /** cgntSOL */
  CgnTSoL3DgY9SFHxcLj6CgCgKKoTBr6tp4CPAEWy25DE: 'CgntPoLka5pD5fesJYhGmUCF8KU1QS1ZmZiuAuMZr2az',
  /** dfdvSOL */
  sctmB7GPi5L2Q5G9tUSzXvhZ4YiDMEGcRov9KfArQpx: 'pyZMBjpWsVjKANAYK5mpNbKiws2krjRPZ2N2UYCSnbP',
  /** dSOL */
  Dso1bDeDjCQxTrWHqUUi63oBvV7Mdm6WaobLbQ7gnPQ: '9mhGNSPArRMHpLDMSmxAvuoizBqtBGqYdT8WGuqgxNdn',
  /** fwdSOL */
  cPQPBN7WubB3zyQDpzTK2ormx1BMdAym9xkrYUJsctm: '2iZHumJq19hyCYkD3xFoZ6dbiFbJ5nqbwALMdJBYQsJa',
  /** hSOL */
  he1iusmfkpAdwvxLNGV8Y1iSbj4rUy6yMhEA3fotn9A: '3wK2g8ZdzAH8FJ7PKr2RcvGh7V9VYson5hrVsJM5Lmws',
  /** hubSOL */
  HUBsveNpjo5pWqNkH57QzxjQASdTVXcSK7bVKTSZtcSX: 'ECRqn7gaNASuvTyC5xfCUjehWZCSowMXstZiM5DNweyB',
  /** JitoSOL */
  J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn: 'Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb',
  /** JSOL */
  '7Q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9Dcavn': 'CtMyWsrUtAwXWiGr9WjHT5fC3p3fgV8cyGpLTo2LJzG1',
  /** JupSOL */
  jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v: '8VpRhuxa7sUUepdY3kQiTmX9rS5vx4WgaXiAnXq4KCtr',
  /** laineSOL */
  LAinEtNLgpmCP9Rvsf5Hn8W6EhNiKLZQti1xfWMLy6X: '2qyEeSAWKfU18AFthrF7JA8z8ZCi1yt76Tqs917vwQTV',
  /** lanternSOL */
  LnTRntk2kTfWEY6cVB8K9649pgJbt6dJLS1Ns1GZCWg: 'LW3qEdGWdVrxNgxSXW8vZri7Jifg4HuKEQ1UABLxs3C',
  /** nxSOL */
  sctmTAsDn4tLUcemqoqYijfuRkiEfAMPi84PNq2EueR: 'FyucURhqXtpSJzymEPmXLpr6tJKct5JuixVU5Tv9bCp7',
  /** picoSOL */
  picobAEvs6w7QEknPce34wAE4gknZA9v5tTonnmHYdX: '8Dv3hNYcEWEaa4qVx9BTN1Wfvtha1z8cWDUXb7KVACVe',
  /** PSOL */
  pSo1f9nQXWgXibFtKf7NWYxb5enAM4qfP6UJSiXRQfL: 'pSPcvR8GmG9aKDUbn9nbKYjkxt9hxMS7kF1qqKJaPqJ',
  /** strongSOL */
  strng7mqqc1MBJJV6vMzYbEqnwVGvKKGKedeCvtktWA: 'GZDX5JYXDzCEDL3kybhjN7PSixL4ams3M2G4CvWmMmm5',
  /** vSOL */
  vSoLxydx6akxyMD9XEcPvGYNGq6Nn66oqVb3UkGkei7: 'Fu9BYC6tWBo1KMKaP3CFoKfRhqv9akmy3DuYwnCyWiyC',
} as const;
