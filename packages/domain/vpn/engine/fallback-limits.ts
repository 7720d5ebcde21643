/**
 * Whoever knocks at REALITY without a key is passed on to the borrowed site, and counted for nobody where it is the server's
 * own. A page or two is full speed, as from the site itself; a connection that goes on after that is no way to carry anything.
 */
const trickle = { afterBytes: 2 * 1024 * 1024, bytesPerSec: 32 * 1024, burstBytesPerSec: 128 * 1024 }

export const fallbackLimits = { limitFallbackUpload: trickle, limitFallbackDownload: trickle }
