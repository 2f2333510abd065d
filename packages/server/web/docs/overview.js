// Links of earlier releases named an operation in the fragment.
const id = location.hash.slice(1);
const link = /^\w+$/.test(id) && document.querySelector(`#page-nav a[href="operations/${id}"]`);
if (link) location.replace(link.href);
