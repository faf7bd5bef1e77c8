/** RFC 8707: the API is the only resource (OIDC-K10); an empty path may be `/` (RFC 3986 §6.2.3, OIDC-N7). */
export function isOurResource(resource: string, baseUrl: string): boolean {
  return resource === baseUrl || resource === `${baseUrl}/`
}
