// bench-rest -n 1000 -c 50 --serve examples/form-upload.js
// A urlencoded form, and a multipart form with text, a file from disk, and a generated file.
import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';

const thisFile = fileURLToPath(import.meta.url);

export default {
  baseUrl: 'http://localhost:8000',
  main: [
    { post: '/comments', form: { name: 'visitor #{INDEX}', text: 'a=b & c' } },
    {
      post: '/uploads',
      formData: {
        title: 'upload #{INDEX}',
        file: createReadStream(thisFile),
        note: { value: 'hello', options: { filename: 'note.txt', contentType: 'text/plain' } },
      },
    },
  ],
};
