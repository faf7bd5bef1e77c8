import { rootOf } from '../../web/site.ts'
import type { Provider } from '../provider.ts'

/** Where people land who came for no page in particular. */
export function homeOf(provider: Pick<Provider, 'config' | 'pages'>): string {
  return rootOf(provider) + (provider.pages?.home ?? '/applications')
}
