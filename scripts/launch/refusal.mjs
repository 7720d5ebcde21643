/** Ends the run with a sentence for a person instead of a stack. */
export class Refusal extends Error {}

const explanations = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network|ENOTCACHED/,
    'The package registry could not be reached. Check the connection (or the proxy in npm config) and start again.',
  ],
  [
    /EUSAGE|in sync|lockfileVersion/,
    'package.json and package-lock.json disagree. Run "npm install" once and commit both.',
  ],
  [/EACCES|EPERM|EROFS/, 'npm may not write here. Run as the owner of this folder.'],
  [/ENOSPC/, 'The disk is full. About 700 MB are needed.'],
  [/EINTEGRITY/, 'A downloaded package is damaged. Run "npm cache clean --force" and start again.'],
  [/EBADENGINE|Unsupported engine/, 'Node is too old for the packages: install Node 20 or newer.'],
]

export function explainFailure(output) {
  const known = explanations.find(([pattern]) => pattern.test(output))
  const sentence = known ? known[1] : 'npm could not install the dependencies; its words are above.'
  const lines = output.split('\n').filter((line) => line.startsWith('npm error'))
  return new Refusal(`${(lines.length > 0 ? lines.slice(0, 20) : [output]).join('\n')}\n\n${sentence}`)
}
