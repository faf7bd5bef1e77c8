/** A charge point belongs to another node (STORE-N8): decisions made here are neither stored nor answered. */
const CODE = 'NOT_OWNER'

export function notOwner(): Error {
  return Object.assign(new Error('The charge point is connected to another node.'), { code: CODE })
}

export function isNotOwner(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === CODE
}
