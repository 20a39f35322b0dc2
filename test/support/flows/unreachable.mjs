/** A broadcast address: connect(2) fails before it returns. */
export default 'http://255.255.255.255/';
