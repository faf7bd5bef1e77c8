/** The supported versions of OCPP, oldest first. One without its table of messages does not compile. */
export const OCPP_VERSIONS = ['1.6', '2.0.1', '2.1'] as const
