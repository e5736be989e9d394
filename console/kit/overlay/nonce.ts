/** The page's policy lets styles made at run time in by this nonce only. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

export const csp = { nonce };
