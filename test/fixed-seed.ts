import fc from 'fast-check'

/** Laws are tried on the same examples in every run; `HINDCAST_FUZZ=1 npm test` tries others. */
if (!process.env.HINDCAST_FUZZ) fc.configureGlobal({ seed: 20 })
