import { expect, it } from 'vitest'
import { localUrl } from './app.ts'

it.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://localhost:8080'],
  ['::', 'http://localhost:8080'],
  ['::1', 'http://[::1]:8080'],
  ['charging.example.com', 'http://charging.example.com:8080'],
])('%s: %s', (host, url) => {
  expect(localUrl({ host }, 8080)).toBe(url)
  expect(URL.canParse(url)).toBe(true)
})

it('with certificate files, by https', () => {
  expect(localUrl({ host: '::1', tlsCertFiles: ['tls.crt'] }, 8443)).toBe('https://[::1]:8443')
})
