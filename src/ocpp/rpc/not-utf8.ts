/** Prefix of a text whose bytes were no UTF-8: no OCPP message begins with this character (OCPP-RP12). */
export const NOT_UTF8 = '\uFFFD'
