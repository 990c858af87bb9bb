exports.words = ['Past', 'rates', 'of a pair.'];
