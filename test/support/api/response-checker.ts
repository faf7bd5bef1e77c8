/** For tests: every answer must be one that `/openapi.json` describes (API-E3). */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

interface Described {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { schema?: unknown }>>
}

interface Operation {
  readonly responses: Readonly<Record<string, Described>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses: Readonly<Record<string, Described>> }
}

/** Throws when status, media type or body are not as described; addresses outside the description must be problems. */
export function responseChecker(
  document: unknown,
): (method: string, path: string, response: Response) => Promise<void> {
  const { paths, components } = document as Document
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document as object, 'api')
  const compiled = new Map<string, ValidateFunction>()
  const patterns = Object.keys(paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  const validator = (reference: string): ValidateFunction => {
    const known = compiled.get(reference) ?? ajv.compile({ $ref: reference })
    compiled.set(reference, known)
    return known
  }

  return async (method, path, response) => {
    const pathname = new URL(path, 'http://localhost').pathname
    const candidates = patterns.filter(({ pattern }) => pattern.test(pathname)).map((one) => one.path)
    const described = candidates.find((one) => paths[one]?.[method.toLowerCase()]) ?? ''
    const operation = paths[described]?.[method.toLowerCase()]
    if (pathname === '/openapi.json') return
    const what = `${method} ${path} -> ${response.status}`
    const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
    if (!response.headers.get('x-request-id')) throw new Error(`${what}: no X-Request-Id`)
    const status = operation?.responses[String(response.status)] ? String(response.status) : 'default'
    if (status === 'default' && (response.status < 400 || type !== 'application/problem+json')) {
      throw new Error(`${what}: ${type} is neither described nor a problem`)
    }
    const inline = operation?.responses[status]
    const shared = inline?.$ref?.split('/').at(-1)
    const content = shared === undefined ? inline?.content : components.responses[shared]?.content
    if (operation && content && !content[type]) throw new Error(`${what}: media type ${type} is not described`)
    if (!/json/.test(type)) return
    const body: unknown = await response.clone().json()
    const segment = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
    const reference =
      inline && shared === undefined
        ? `api#/paths/${segment(described)}/${method.toLowerCase()}/responses/${status}/content/${segment(type)}/schema`
        : 'api#/components/schemas/Problem'
    const validate = validator(reference)
    if (!validate(body)) throw new Error(`${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`)
  }
}
