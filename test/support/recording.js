import { RecordingProxy } from '../../lib/addons/record/proxy.js';

/** Runs `story(url)` with a proxy in front of a target; resolves with the exchanges. */
export async function recording(target, story, options = {}) {
  const proxy = new RecordingProxy({ target: target && new URL(target), port: 0, host: '127.0.0.1', ...options });
  const url = await proxy.start();
  try {
    await story(url, proxy);
  } finally {
    proxy.result = await proxy.finish();
  }
  return { exchanges: proxy.result, lacks: proxy.recorder.lacks() };
}
