/**
 * RFC 8707: the API is the only resource (OIDC-K10). Libraries that keep addresses as URLs write an empty path as `/`,
 * which names the same (RFC 3986 §6.2.3); MCP clients send what they read in the metadata that way (OIDC-N7).
 */
export function isOurResource(resource: string, baseUrl: string): boolean {
  return resource === baseUrl || resource === `${baseUrl}/`
}
