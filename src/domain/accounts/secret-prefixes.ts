/** How the secrets that we hand out begin (API-B7), for what makes, recognizes or hides them in the log. */
export const SECRET_PREFIXES = {
  apiCredential: 'pwk_',
  accessToken: 'pwa_',
  refreshToken: 'pwr_',
  clientSecret: 'pws_',
  /** Of an application that registered itself: it may change and delete the registration (OIDC-G7). */
  registrationToken: 'pwg_',
  webhookSecret: 'whsec_',
  /** In the address of a page where its bearer chooses a password, once (ADMIN-E1). */
  passwordLink: 'pwl_',
} as const
